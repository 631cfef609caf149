"""What the order desk's tools are given: arguments as models write them, read into what the desk works with."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from skills.orders import order_number

MAX_REASON_CHARS = 500
MAX_MESSAGE_CHARS = 1000

OrderNumber = Annotated[
    str,
    BeforeValidator(order_number),
    WithJsonSchema({"type": "string", "description": "订单号 / order number, e.g. #8842"}),
]
Amount = Annotated[
    Decimal,
    Field(gt=0, max_digits=10, decimal_places=2),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "description": "金额（元）/ amount in yuan"}),
]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class OfOrder(_Arguments):
    """Which order."""

    order_id: OrderNumber


class Cancellation(OfOrder):
    """Which order, and why."""

    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS, description="取消原因 / why")]


class Refund(OfOrder):
    """Which order, and how much; all that was paid where no amount is given."""

    amount: Amount | None = None

    @property
    def cents(self) -> int | None:
        """Give the amount in cents."""
        return None if self.amount is None else int(self.amount * 100)


class Notification(_Arguments):
    """What to tell the customer."""

    message: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARS, description="通知内容 / the text")]
