"""tag: which words of a message say a lasting fact, as a small trained model reads them."""
