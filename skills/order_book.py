"""The order book: the example shop's SQLite file. Every method runs on the desk's own thread.

This is the business's truth, not memory: it is asked each time and nothing of it is remembered.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime

from skills.bilingual import Text
from skills.orders import Order, Status, may_cancel, may_refund, sample_orders, unknown
from skills.registry import Passed, Refused, Settled

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS customers (customer TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS orders (
        customer TEXT NOT NULL, order_no TEXT NOT NULL, item_zh TEXT NOT NULL, item_en TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('PENDING', 'CONFIRMED', 'SHIPPED', 'DELIVERED', 'CANCELLED')),
        paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0), price_now_cents INTEGER NOT NULL,
        ordered_on TEXT NOT NULL, carrier_zh TEXT, carrier_en TEXT, expected_on TEXT, cancel_reason TEXT,
        PRIMARY KEY (customer, order_no)) STRICT""",
    """CREATE TABLE IF NOT EXISTS refunds (
        customer TEXT NOT NULL, order_no TEXT NOT NULL, cents INTEGER NOT NULL CHECK (cents > 0),
        refunded_at TEXT NOT NULL, PRIMARY KEY (customer, order_no)) STRICT""",
    """CREATE TABLE IF NOT EXISTS notifications (
        customer TEXT NOT NULL, thread_id TEXT NOT NULL, message TEXT NOT NULL, sent_at TEXT NOT NULL,
        PRIMARY KEY (customer, thread_id, message)) STRICT""",
)
_ORDER = """SELECT orders.*, refunds.cents AS refunded_cents FROM orders
    LEFT JOIN refunds USING (customer, order_no) WHERE customer = ? AND order_no = ?"""


class OrderBook:
    """Orders, refunds and notifications of every customer, each seen by nobody else."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection over, with the tables in it."""
        connection.isolation_level = None
        connection.row_factory = sqlite3.Row
        self._connection = connection
        with self._writing():
            for statement in SCHEMA:
                connection.execute(statement)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def order(self, customer: str, number: str, now: datetime) -> Order | None:
        """Find a customer's order, or None where they have no such order."""
        self._welcome(customer, now)
        row = self._connection.execute(_ORDER, (customer, number)).fetchone()
        return _order(row) if row else None

    def place(self, customer: str, order: Order, now: datetime) -> None:
        """Add an order to those that a customer has.

        Raises:
            sqlite3.IntegrityError: They have an order of that number.
        """
        self._welcome(customer, now)
        with self._writing():
            self._insert(customer, order)

    def cancel(self, customer: str, number: str, reason: str, now: datetime) -> Order | Refused | Settled:
        """Cancel an order if it still may be, judged in the same transaction; give it as it is afterwards."""
        with self._writing():
            order = self.order(customer, number, now)
            if order is None:
                return unknown(number)
            verdict = may_cancel(order)
            if not isinstance(verdict, Passed):
                return verdict
            self._connection.execute(
                "UPDATE orders SET status = 'CANCELLED', cancel_reason = ? WHERE customer = ? AND order_no = ?",
                (reason, customer, number),
            )
        return replace(order, status="CANCELLED")

    def refund(self, customer: str, number: str, cents: int | None, now: datetime) -> Order | Refused | Settled:
        """Refund an order if it may be, judged in the same transaction; `cents` None means all that was paid."""
        with self._writing():
            order = self.order(customer, number, now)
            if order is None:
                return unknown(number)
            verdict = may_refund(order, cents)
            if not isinstance(verdict, Passed):
                return verdict
            amount = order.paid_cents if cents is None else cents
            self._connection.execute(
                "INSERT INTO refunds VALUES (?, ?, ?, ?)", (customer, number, amount, now.isoformat())
            )
        return replace(order, refunded_cents=amount)

    def notify(self, customer: str, thread_id: str, message: str, now: datetime) -> bool:
        """Put a message into the customer's notifications; False where this thread sent the same before."""
        with self._writing():
            done = self._connection.execute(
                "INSERT OR IGNORE INTO notifications VALUES (?, ?, ?, ?)",
                (customer, thread_id, message, now.isoformat()),
            )
        return done.rowcount == 1

    def notifications(self, customer: str) -> list[str]:
        """Give what a customer was notified of, oldest first."""
        rows = self._connection.execute(
            "SELECT message FROM notifications WHERE customer = ? ORDER BY sent_at, rowid", (customer,)
        )
        return [row["message"] for row in rows.fetchall()]

    def _welcome(self, customer: str, now: datetime) -> None:
        """Give a new customer their copy of the sample orders, once."""
        known = self._connection.execute("SELECT 1 FROM customers WHERE customer = ?", (customer,)).fetchone()
        if known:
            return
        with self._writing():
            new = self._connection.execute("INSERT OR IGNORE INTO customers VALUES (?, ?)", (customer, now.isoformat()))
            for order in sample_orders(now.date()) if new.rowcount else ():
                self._insert(customer, order)

    def _insert(self, customer: str, order: Order) -> None:
        row = _row(customer, order)
        names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        self._connection.execute(f"INSERT INTO orders ({names}) VALUES ({marks})", row)  # noqa: S608 - our own names

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock from the first read to the commit; within such a block, join it."""
        if self._connection.in_transaction:
            yield
            return
        with self._connection:  # commits, or rolls back when the block raises
            self._connection.execute("BEGIN IMMEDIATE")
            yield


def _order(row: sqlite3.Row) -> Order:
    status: Status = row["status"]
    return Order(
        number=row["order_no"],
        item=Text(zh=row["item_zh"], en=row["item_en"]),
        status=status,
        paid_cents=row["paid_cents"],
        price_now_cents=row["price_now_cents"],
        ordered_on=date.fromisoformat(row["ordered_on"]),
        carrier=Text(zh=row["carrier_zh"], en=row["carrier_en"]) if row["carrier_zh"] else None,
        expected_on=date.fromisoformat(row["expected_on"]) if row["expected_on"] else None,
        refunded_cents=row["refunded_cents"],
    )


def _row(customer: str, order: Order) -> dict[str, str | int | None]:
    return {
        "customer": customer,
        "order_no": order.number,
        "item_zh": order.item.zh,
        "item_en": order.item.en,
        "status": order.status,
        "paid_cents": order.paid_cents,
        "price_now_cents": order.price_now_cents,
        "ordered_on": order.ordered_on.isoformat(),
        "carrier_zh": order.carrier.zh if order.carrier else None,
        "carrier_en": order.carrier.en if order.carrier else None,
        "expected_on": order.expected_on.isoformat() if order.expected_on else None,
    }
