"""Ordering: whether a number is introduced as an order's, a parcel's, a version's …, and so names no person."""

from __future__ import annotations

import re

from memory.digits import has_resident_check, is_resident_id, only_digits

INTRODUCED_CHARS = 32

_CHINESE = (
    "订单|单号|运单|快递|物流|工单|流水|交易|发票|(?<![证件照卡])编号|批次|票号|追踪|取件|包裹|型号|序列|条码|条形码|货号|商品|产品|合同|保单|"
    "受理|案件|案号|书号|版本|提交|构建|校验|哈希|时间戳|毫秒|卷号|期号|房源|课程|会议|信用代码|注册号|税号|备案|证书|凭证|积分|"
    "优惠券|兑换|激活|彩票|航班|车次|学号|工号|考号|准考证"
)
_ENGLISH = (
    "order|tracking|track|ticket|invoice|case|reference|ref|sku|shipment|parcel|package|transaction|serial|build|isbn(?:-1[03])?|issn|"
    "barcode|ean|upc|gtin|part|item|model|booking|confirmation|claim|contract|batch|lot|revision|commit|hash|version|release|"
    "timestamp|epoch|receipt|purchase|waybill|awb|consignment|product|request|job|run|trace|meeting|policy|imei|doi|asin|rma|po|"
    "voucher|coupon|ups|fedex|dhl|usps"
)
_ORDERED = re.compile(
    rf"(?:{_CHINESE}|(?<![a-z])(?:{_ENGLISH})s?(?![a-z]))"
    r"(?:[\s_-]?(?:号码?|编号|代码|number|no\.?|nr\.?|num|code|id|#))*\s*(?:是|为|:|=|is|was|->)?\s*[#(\"'“「]?\s*$",
    re.IGNORECASE,
)


def is_ordered(folded: str, start: int, end: int) -> bool:
    """Tell whether the number was introduced as an order's (or a ticket's …) and is no sure personal one.

    Sure are a mainland mobile number as it stands and a resident's id whose check character is right: there privacy wins.
    """
    if not _ORDERED.search(folded[max(0, start - INTRODUCED_CHARS) : start]):
        return False
    digits = only_digits(folded[start:end])
    is_mobile = re.fullmatch(r"1[3-9]\d{9}", digits) is not None
    return not is_mobile and not (is_resident_id(digits) and has_resident_check(digits))
