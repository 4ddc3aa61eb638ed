"""Another reader of car parks in DATEX II (2 and 3) and ParkAPI 3: standard library only.

registers_parking.py FILE...    one JSON line a file: {"places": [...], "states": [...]}

Nothing is shared with the product but the formats and docs/places.md. What a publisher states is
printed as numbers; null is what it does not state: empty, negative, no number, or a count of a car
park that has 0 spaces. A DATEX id ends before a name in square brackets.
"""

import datetime
import gzip
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

INTEGER = re.compile(r"\d{1,5}$")
INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$")


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def inside(element, *names):
    """Elements of any of these names in another, in the order of the document, itself left out."""
    return [each for each in element.iter() if each is not element and local(each) in names]


def texts(element, *names):
    return [(each.text or "").strip() for each in inside(element, *names)]


def number(text):
    return int(text) if text is not None and INTEGER.match(str(text)) else None


def first(values):
    return next((value for value in values if value is not None), None)


def instant(text):
    match = INSTANT.match(text or "")
    if match is None:
        return None
    zone = "+00:00" if match.group(3) == "Z" else match.group(3)
    return int(datetime.datetime.fromisoformat(match.group(1) + zone).timestamp())


def meeting(identifier):
    match = re.match(r"(.+?)\[.*\]$", identifier)
    return match.group(1) if match else identifier


def site(record):
    own = [each for each in record if local(each) in ("parkingNumberOfSpaces", "totalParkingCapacity")]
    groups = [each for each in record if local(each) == "groupOfParkingSpaces"]
    if own:
        capacity = number(own[0].text)
    else:
        whole = [each for each in groups if each.get("groupIndex") == "0"]
        capacity = number(first(texts(whole[0], "parkingNumberOfSpaces"))) if whole else None
    named = [each for each in record if local(each) in ("parkingName", "parkingFacilityName")]
    return {"id": record.get("id"),
            "key": meeting(record.get("id")),
            "name": first(texts(named[0], "value")) if named else None,
            "lat": float(texts(record, "latitude")[0]),
            "lon": float(texts(record, "longitude")[0]),
            "capacity": capacity or None}


def state(record, published):
    reference = inside(record, "parkingRecordReference", "parkingFacilityReference")[0]
    totals = [each for each in record if local(each) == "parkingOccupancy"]
    total = totals[0] if totals else record
    stated = {local(each): (each.text or "").strip() for each in total}
    free = number(first([stated.get("parkingNumberOfVacantSpaces"),
                         stated.get("totalNumberOfVacantParkingSpaces")]))
    taken = number(first([stated.get("parkingNumberOfOccupiedSpaces"),
                          stated.get("totalNumberOfOccupiedParkingSpaces")]))
    capacity = number(first([stated.get("parkingNumberOfSpacesOverride"),
                             stated.get("totalParkingCapacityOverride")]))
    share = stated.get("parkingOccupancy")
    odd = []
    if capacity is not None and free is not None and free > capacity:
        odd.append("free_above_capacity")
    if capacity is not None and taken is not None and taken > capacity:
        odd.append("occupied_above_capacity")
    if free is not None and taken is not None:
        room = max(3, (free + taken) / 20)
        by_share = taken if not share else float(share) / 100 * (free + taken)
        if abs(by_share - taken) > room or (capacity is not None and abs(free + taken - capacity) > room):
            odd.append("counts_do_not_add_up")
    if capacity == 0:
        free = capacity = None
        odd = []
    elif free is None and capacity is not None and taken is not None and taken <= capacity:
        free = capacity - taken
    opening = texts(record, "parkingSiteOpeningStatus")
    time = first(texts(record, "parkingStatusOriginTime", "parkingFacilityStatusTime"))
    return {"id": meeting(reference.get("id")), "free": free, "capacity": capacity,
            "is_open": {"open": True, "closed": False}.get(opening[0] if opening else ""),
            "observed_s": instant(time or published), "contradictions": odd}


def datex(data):
    root = ElementTree.fromstring(data)
    published = first(texts(root, "publicationTime"))
    return {"places": [site(each) for each in inside(root, "parkingRecord", "parkingFacility")],
            "states": [state(each, published)
                       for each in inside(root, "parkingRecordStatus", "parkingFacilityStatus")
                       if len(each) > 0]}


def parkapi(data):
    places, states = [], []
    for item in json.loads(data)["items"]:
        key = item.get("original_uid") or item["uid"]
        places.append({"id": key, "key": key, "name": item["name"], "lat": float(item["lat"]),
                       "lon": float(item["lon"]), "capacity": item.get("capacity") or None})
        if item.get("has_realtime_data"):
            opening = {"OPEN": True, "CLOSED": False}.get(item.get("realtime_opening_status"))
            states.append({"id": key, "free": number(item.get("realtime_free_capacity")),
                           "capacity": number(item.get("realtime_capacity")), "is_open": opening,
                           "observed_s": instant(item["realtime_data_updated_at"]),
                           "contradictions": []})
    return {"places": places, "states": states}


for path in sys.argv[1:]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        content = file.read()
    print(json.dumps(parkapi(content) if content.lstrip()[:1] == b"{" else datex(content)))
