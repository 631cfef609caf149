"""Dialects: how endpoints that call themselves OpenAI-compatible differ on the wire, as data.

Each entry says where the behaviour was read; what no source tells is as OpenAI has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Format = Literal["text", "json_object", "json_schema"]
Choice = Literal["auto", "none", "required", "named"]
Fault = Literal[
    "wrong_key", "no_access", "no_money", "no_model", "limited", "too_long", "refused", "broken", "overloaded"
]
ErrorShape = Literal["openai", "flat", "text"]

EVERY_FORMAT: frozenset[Format] = frozenset({"text", "json_object", "json_schema"})
EVERY_CHOICE: frozenset[Choice] = frozenset({"auto", "none", "required", "named"})
NEEDS_THE_WORD = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """How a fault reads: the status, and what the error's object holds."""

    status: int
    message: str
    type: str = "invalid_request_error"
    code: str | int | None = None
    param: str | None = None


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How one kind of endpoint speaks.

    Attributes:
        name: Whose dialect.
        formats: The types of `response_format` that are accepted; others get `no_format`.
        no_format: What is said to others.
        word_json: What is said to `json_object` when no message says "json"; None: nothing is asked for.
        choices: The kinds of `tool_choice` that are accepted; others get `no_choice`, or are ignored where that is None.
        no_choice: What is said to others.
        refused_fields: Fields of a request that are answered with a 400, and what it says.
        no_developer: What is said to the role `developer`; None: it is accepted.
        thinking: Where thinking stands: in a field of this name, or in the content between tags.
        empty_content: What the content of a delta is while there is only thinking: absent, null or "".
        role_everywhere: Whether each delta carries the role.
        first_delta_empty: Whether a delta with the role and no text comes first.
        usage: Where a stream has it: in a chunk of its own if asked for, or in the last one always.
        call_in_pieces: Whether the arguments of a call come in pieces.
        later_call_id: The id in the pieces after the first: absent, or "".
        error_shape: `{"error": {…}}`, the object itself, or `{"error": "text"}`.
        faults: How each fault reads.
    """

    name: str
    formats: frozenset[Format] = EVERY_FORMAT
    no_format: Refusal | None = None
    word_json: Refusal | None = None
    choices: frozenset[Choice] = EVERY_CHOICE
    no_choice: Refusal | None = None
    refused_fields: Mapping[str, Refusal] = field(default_factory=dict)
    no_developer: Refusal | None = None
    thinking: Literal["reasoning_content", "reasoning", "tags"] = "tags"
    empty_content: Literal["absent", "null", "empty"] = "absent"
    role_everywhere: bool = False
    first_delta_empty: bool = True
    usage: Literal["own chunk", "last chunk"] = "own chunk"
    call_in_pieces: bool = True
    later_call_id: str | None = None
    error_shape: ErrorShape = "openai"
    faults: Mapping[Fault, Refusal] = field(default_factory=dict)

    def fault(self, kind: Fault) -> Refusal:
        """Say how a fault reads here; one that no source tells reads as at OpenAI."""
        return self.faults.get(kind, OPENAI_FAULTS[kind])

    def error(self, refusal: Refusal) -> dict[str, Any]:
        """Make the body of an error."""
        whole = {"message": refusal.message, "type": refusal.type, "param": refusal.param, "code": refusal.code}
        if self.error_shape == "text":
            return {"error": refusal.message}
        return {"object": "error", **whole} if self.error_shape == "flat" else {"error": whole}


# https://platform.openai.com/docs/guides/error-codes; the bodies as quoted in langchain-ai/langchain#24058,
# vercel/ai#428 (context), openai/openai-python's issues (quota, filter).
OPENAI_FAULTS: Mapping[Fault, Refusal] = {
    "wrong_key": Refusal(status=401, message="Incorrect API key provided: sk-wrong.", code="invalid_api_key"),
    "no_access": Refusal(status=403, message="Country, region, or territory not supported", code="unsupported_country"),
    "no_money": Refusal(
        status=429,
        message="You exceeded your current quota, please check your plan and billing details.",
        type="insufficient_quota",
        code="insufficient_quota",
    ),
    "no_model": Refusal(
        status=404, message="The model `m` does not exist or you do not have access to it.", code="model_not_found"
    ),
    "limited": Refusal(
        status=429, message="Rate limit reached for requests.", type="requests", code="rate_limit_exceeded"
    ),
    "too_long": Refusal(
        status=400,
        message="This model's maximum context length is 8192 tokens. However, your messages resulted in 8312 tokens.",
        code="context_length_exceeded",
        param="messages",
    ),
    "refused": Refusal(
        status=400,
        message="Your request was rejected as a result of our safety system.",
        code="content_policy_violation",
    ),
    "broken": Refusal(
        status=500, message="The server had an error while processing your request.", type="server_error"
    ),
    "overloaded": Refusal(status=503, message="The engine is currently overloaded.", type="server_error"),
}

OPENAI = Dialect(
    name="openai",
    word_json=Refusal(status=400, message=NEEDS_THE_WORD, param="messages"),
    faults=OPENAI_FAULTS,
)

# json_schema: UKGovernmentBEIS/inspect_ai#4916, llm-exe/llm-exe#662; the word: browserbase/stagehand#1204;
# tool_choice in thinking mode, which is on by default: deepseek-ai/DeepSeek-V3#1376; developer: decolua/9router#773;
# 401: PDFMathTranslate/PDFMathTranslate#696; 402: 1Panel-dev/MaxKB#3797;
# the other statuses: https://api-docs.deepseek.com/quick_start/error_codes
DEEPSEEK = Dialect(
    name="deepseek",
    formats=frozenset({"text", "json_object"}),
    no_format=Refusal(status=400, message="This response_format type is unavailable now", code="invalid_request_error"),
    word_json=Refusal(
        status=400,
        message="Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
        code="invalid_request_error",
    ),
    choices=frozenset({"auto", "none"}),
    no_choice=Refusal(
        status=400, message="Thinking mode does not support this tool_choice", code="invalid_request_error"
    ),
    no_developer=Refusal(
        status=400,
        message="Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant "
        "`developer`, expected one of `system`, `user`, `assistant`, `tool`",
        code="invalid_request_error",
    ),
    thinking="reasoning_content",
    empty_content="null",
    usage="last chunk",
    faults={
        "wrong_key": Refusal(
            status=401,
            message="Authentication Fails (no such user)",
            type="authentication_error",
            code="invalid_request_error",
        ),
        "no_money": Refusal(
            status=402, message="Insufficient Balance", type="unknown_error", code="invalid_request_error"
        ),
        "no_model": Refusal(status=400, message="Model Not Exist", code="invalid_request_error"),
        "refused": Refusal(status=400, message="Content Exists Risk", code="invalid_request_error"),
    },
)

# tool_choice in thinking mode: cloudwego/eino#994; 401: Aider-AI/aider#4712; filter: camel-ai/owl#432;
# context, arrears, quota: https://www.alibabacloud.com/help/en/model-studio/error-code
QWEN = Dialect(
    name="qwen",
    word_json=Refusal(
        status=400,
        message=f"<400> InternalError.Algo.InvalidParameter: {NEEDS_THE_WORD}",
        code="invalid_parameter_error",
    ),
    choices=frozenset({"auto", "none"}),
    no_choice=Refusal(
        status=400,
        message="<400> InternalError.Algo.InvalidParameter: The tool_choice parameter does not support being set to "
        "required or object in thinking mode",
        code="invalid_parameter_error",
    ),
    thinking="reasoning_content",
    empty_content="null",
    later_call_id="",
    faults={
        "wrong_key": Refusal(status=401, message="Incorrect API key provided. ", code="invalid_api_key"),
        "no_money": Refusal(
            status=400,
            message="Access denied, please make sure your account is in good standing.",
            type="Arrearage",
            code="Arrearage",
        ),
        "no_model": Refusal(
            status=404, message="The model `m` does not exist or you do not have access to it.", code="model_not_found"
        ),
        "limited": Refusal(
            status=429,
            message="You exceeded your current requests list.",
            type="limit_requests",
            code="limit_requests",
        ),
        "too_long": Refusal(
            status=400,
            message="<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
            code="invalid_parameter_error",
        ),
        "refused": Refusal(
            status=400,
            message="Input data may contain inappropriate content.",
            type="data_inspection_failed",
            code="data_inspection_failed",
        ),
    },
)

# ollama/ollama, openai/openai.go: the role in each chunk, content never null, `reasoning`, calls whole, no tool_choice
# among the fields read, types of errors; the page "OpenAI compatibility"; 404: netease-youdao/QAnything#555
OLLAMA = Dialect(
    name="ollama",
    choices=frozenset({"auto", "none"}),
    thinking="reasoning",
    empty_content="empty",
    role_everywhere=True,
    first_delta_empty=False,
    call_in_pieces=False,
    faults={
        "no_model": Refusal(status=404, message='model "m" not found, try pulling it first', type="not_found_error"),
        "broken": Refusal(status=500, message="llama runner process has terminated", type="api_error"),
    },
)

# `reasoning`, once `reasoning_content`: https://docs.vllm.ai/en/v0.11.2/features/reasoning_outputs/ (it needs
# --reasoning-parser, else the tags stay in the content); tools without their flags: langchain4j/langchain4j#3475;
# context: vllm-project/vllm#20409. Bodies were flat, and stand under `error` now; the client must take both.
VLLM = Dialect(
    name="vllm",
    thinking="reasoning",
    error_shape="flat",
    faults={
        "wrong_key": Refusal(status=401, message="Unauthorized", type="AuthenticationError", code=401),
        "no_model": Refusal(status=404, message="The model `m` does not exist.", type="NotFoundError", code=404),
        "too_long": Refusal(
            status=400,
            message="This model's maximum context length is 16384 tokens. However, you requested 122946 tokens "
            "(112946 in the messages, 10000 in the completion). Please reduce the length of the messages.",
            type="BadRequestError",
            code=400,
        ),
        "broken": Refusal(status=500, message="Internal server error", type="InternalServerError", code=500),
    },
)
VLLM_WITHOUT_TOOLS = Refusal(
    status=400,
    message='"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    type="BadRequestError",
    code=400,
)

# json_object: lmstudio-ai/lmstudio-bug-tracker#189; a named tool_choice: lmstudio-ai/lmstudio-bug-tracker#670;
# context: anomalyco/opencode#2259; errors as a bare text: the same.
LM_STUDIO = Dialect(
    name="lm studio",
    formats=frozenset({"text", "json_schema"}),
    no_format=Refusal(status=400, message="'response_format.type' must be 'json_schema' or 'text'"),
    choices=frozenset({"auto", "none", "required"}),
    no_choice=Refusal(
        status=400, message="Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
    ),
    thinking="tags",
    error_shape="text",
    faults={
        "too_long": Refusal(
            status=400,
            message="The number of tokens to keep from the initial prompt is greater than the context length. "
            "Try to load the model with a larger context length, or provide a shorter input",
        ),
        "no_model": Refusal(status=404, message="Model not found: m"),
    },
)

DIALECTS: Mapping[str, Dialect] = {one.name: one for one in (OPENAI, DEEPSEEK, QWEN, OLLAMA, VLLM, LM_STUDIO)}
