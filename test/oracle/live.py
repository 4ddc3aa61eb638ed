"""Another reader of GTFS Realtime, and another join with a timetable: standard library only.

live.py decode FILE             what a message says, as the product's model
live.py join ZIP UPDATES.json   every call of every run that the updates speak of

Nothing is shared with the product but the specification and docs/design/departures.md.
"""

import csv
import datetime
import io
import json
import re
import struct
import sys
import zipfile
import zoneinfo

TRIP_RELATIONS = {0: "scheduled", 1: "added", 2: "unscheduled", 3: "canceled", 5: "replacement",
                  6: "duplicated", 7: "deleted", 8: "new"}
STOP_RELATIONS = {0: "scheduled", 1: "skipped", 2: "no_data", 3: "unscheduled"}
STATUSES = {0: "incoming_at", 1: "stopped_at", 2: "in_transit_to"}
OCCUPANCIES = {0: "empty", 1: "many_seats_available", 2: "few_seats_available",
               3: "standing_room_only", 4: "crushed_standing_room_only", 5: "full",
               6: "not_accepting_passengers", 8: "not_boardable"}
CAUSES = {2: "other_cause", 3: "technical_problem", 4: "strike", 5: "demonstration", 6: "accident",
          7: "holiday", 8: "weather", 9: "maintenance", 10: "construction",
          11: "police_activity", 12: "medical_emergency"}
EFFECTS = {1: "no_service", 2: "reduced_service", 3: "significant_delays", 4: "detour",
           5: "additional_service", 6: "modified_service", 7: "other_effect", 9: "stop_moved",
           10: "no_effect", 11: "accessibility_issue"}
SEVERITIES = {2: "info", 3: "warning", 4: "severe"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Field number -> values, in their order: numbers, or bytes."""
    found, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        elif kind == 5:
            value, at = data[at:at + 4], at + 4
        else:
            raise ValueError(kind)
        found.setdefault(tag >> 3, []).append(value)
    return found


def last(message, field):
    return message[field][-1] if field in message else None


def text(message, field):
    value = last(message, field)
    return None if value is None else re.sub(r"\s{2,}", " ", value.decode()).strip() or None


def int32(message, field):
    value = last(message, field)
    return None if value is None else (value & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


def time(message, field):
    return last(message, field) or None


def day(value):
    if value is None:
        return None
    date = datetime.date(int(value[:4]), int(value[4:6]), int(value[6:8]))
    return (date - datetime.date(1970, 1, 1)).days


def seconds(value):
    if value is None:
        return None
    hours, minutes, rest = value.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


def trip_ref(data):
    m = fields(data)
    return {"trip_id": text(m, 1), "route_id": text(m, 5), "direction": last(m, 6),
            "start_day": day(text(m, 3)), "start_s": seconds(text(m, 2)),
            "relation": TRIP_RELATIONS.get(last(m, 4) or 0)}


def label(data):
    return None if data is None else text(fields(data), 2)


def event(data):
    if data is None:
        return None
    m = fields(data)
    return {"delay_s": int32(m, 1), "time_s": time(m, 2), "scheduled_s": time(m, 4)}


def stop(data):
    m = fields(data)
    more = fields(last(m, 6) or b"")
    return {"sequence": last(m, 1), "stop_id": text(m, 4), "arrival": event(last(m, 2)),
            "departure": event(last(m, 3)), "relation": STOP_RELATIONS.get(last(m, 5) or 0),
            "assigned_stop_id": text(more, 1), "headsign": text(more, 2),
            "pickup": last(more, 3), "drop_off": last(more, 4)}


def trip_update(entity_id, data):
    m = fields(data)
    return {"entity_id": entity_id, "trip": trip_ref(last(m, 1)), "timestamp_s": time(m, 4),
            "delay_s": int32(m, 5), "vehicle_label": label(last(m, 3)), "properties": None,
            "stops": [stop(each) for each in m.get(2, [])]}


def position(data):
    if data is None:
        return None
    m = fields(data)
    return {"lat": struct.unpack("<f", last(m, 1))[0], "lon": struct.unpack("<f", last(m, 2))[0]}


def vehicle(entity_id, data):
    m = fields(data)
    status = last(m, 4)
    return {"entity_id": entity_id, "trip": trip_ref(last(m, 1)) if 1 in m else None,
            "label": label(last(m, 8)), "location": position(last(m, 2)), "stop_id": text(m, 7),
            "sequence": last(m, 3), "status": STATUSES.get(2 if status is None else status),
            "occupancy": OCCUPANCIES.get(last(m, 9)), "timestamp_s": time(m, 5)}


def translations(data):
    if data is None:
        return []
    return [{"text": text(m, 1), "language": text(m, 2)}
            for m in map(fields, fields(data).get(1, [])) if text(m, 1)]


def selector(data):
    m = fields(data)
    return {"agency_id": text(m, 1), "route_id": text(m, 2), "route_type": int32(m, 3),
            "stop_id": text(m, 5), "direction": last(m, 6),
            "trip": trip_ref(last(m, 4)) if 4 in m else None}


def alert(entity_id, data):
    m = fields(data)
    return {"id": entity_id, "cause": CAUSES.get(last(m, 6)), "effect": EFFECTS.get(last(m, 7)),
            "severity": SEVERITIES.get(last(m, 14)), "header": translations(last(m, 10)),
            "description": translations(last(m, 11)), "url": translations(last(m, 8)),
            "periods": [{"from_s": time(p, 1), "to_s": time(p, 2)}
                        for p in map(fields, m.get(1, []))],
            "selectors": [s for s in map(selector, m.get(5, []))
                          if any(value is not None for value in s.values())]}


def decode(path):
    with open(path, "rb") as file:
        m = fields(file.read())
    result = {"timestamp_s": time(fields(last(m, 1)), 3), "trips": [], "vehicles": [], "alerts": []}
    for entity in map(fields, m.get(2, [])):
        entity_id = text(entity, 1)
        if 3 in entity:
            result["trips"].append(trip_update(entity_id, last(entity, 3)))
        if 4 in entity:
            result["vehicles"].append(vehicle(entity_id, last(entity, 4)))
        if 5 in entity:
            result["alerts"].append(alert(entity_id, last(entity, 5)))
    result["alerts"] = [each for each in result["alerts"] if each["selectors"]]
    return result



def rows(archive, name):
    with archive.open(name) as file:
        yield from csv.DictReader(io.TextIOWrapper(file, "utf-8-sig"))


def read_timetable(path):
    """Zone, trip -> (service, calls in order), service -> set of dates."""
    archive = zipfile.ZipFile(path)
    zone = zoneinfo.ZoneInfo(next(rows(archive, "agency.txt"))["agency_timezone"])
    trips = {row["trip_id"]: (row["service_id"], []) for row in rows(archive, "trips.txt")}
    for row in rows(archive, "stop_times.txt"):
        trips[row["trip_id"]][1].append((int(row["stop_sequence"]), row["stop_id"],
                                         seconds(row["arrival_time"]),
                                         seconds(row["departure_time"])))
    for _, calls in trips.values():
        calls.sort()
    return zone, trips, read_calendar(archive)


def read_calendar(archive):
    services = {}
    week = "monday tuesday wednesday thursday friday saturday sunday".split()
    for row in rows(archive, "calendar.txt"):
        date, end = day(row["start_date"]), day(row["end_date"])
        services.setdefault(row["service_id"], set()).update(
            each for each in range(date, end + 1) if row[week[(each + 3) % 7]] == "1")
    for row in rows(archive, "calendar_dates.txt"):
        dates = services.setdefault(row["service_id"], set())
        (dates.add if row["exception_type"] == "1" else dates.discard)(day(row["date"]))
    return services


def begin_of(zone, date):
    """Noon minus twelve hours, epoch s."""
    local = datetime.date(1970, 1, 1) + datetime.timedelta(days=date)
    noon = datetime.datetime(local.year, local.month, local.day, 12, tzinfo=zone)
    return int(noon.timestamp()) - 43200


def run_of(timetable, update, stamp):
    """Day of the run that an update without a date is about."""
    zone, trips, services = timetable
    service, calls = trips[update["trip"]["tripId"]]
    times = [event["time"] for each in update["stopTimeUpdate"]
             for event in (each.get("arrival"), each.get("departure")) if event]
    moment = int(times[0]) if times else stamp
    about = moment // 86400
    days = [each for each in range(about - 3, about + 3) if each in services.get(service, ())]

    def distance(date):
        begin = begin_of(zone, date)
        return max(0, begin + calls[0][3] - moment, moment - begin - calls[-1][3])

    best = min(days, key=distance, default=None)
    return best if best is not None and distance(best) <= 86400 else None


def place(calls, each):
    """Index of the call that an update of a stop is about."""
    named = [i for i, call in enumerate(calls) if call[1] == each.get("stopId")]
    numbered = [i for i, call in enumerate(calls) if call[0] == each.get("stopSequence")]
    if numbered and (numbered[0] in named or "stopId" not in each):
        return numbered[0]
    return named[0] if len(named) == 1 else None


def value(event, planned):
    if event is None:
        return None
    if "time" in event:
        found = int(event["time"])
        return found if abs(found - planned) <= 86400 else None
    return planned + event["delay"] if "delay" in event else None


def expect(begin, calls, updates):
    """(stop, planned arrival, planned departure, expected arrival, expected departure) of calls."""
    said = {}
    for each in updates:
        at = place(calls, each)
        if at is not None:
            said[at] = each
    delay, result = None, []
    for i, (_, stop_id, arrival, departure) in enumerate(calls):
        arrival, departure = begin + arrival, begin + departure
        if i in said:
            expected_arrival = value(said[i].get("arrival"), arrival)
            expected_departure = value(said[i].get("departure"), departure)
            if "departure" not in said[i] and expected_arrival is not None:
                expected_departure = expected_arrival + departure - arrival
            delay = None if expected_departure is None else expected_departure - departure
        else:
            expected_arrival = None if delay is None else arrival + delay
            expected_departure = None if delay is None else departure + delay
        result.append([stop_id, arrival, departure, expected_arrival, expected_departure])
    return result


def join(path, updates):
    timetable = read_timetable(path)
    with open(updates) as file:
        message = json.load(file)
    stamp = int(message["header"]["timestamp"])
    result = {"runs": {}, "unmatched": [], "added": {}}
    for entity in message["entity"]:
        update = entity["tripUpdate"]
        trip_id = update["trip"]["tripId"]
        if update["trip"].get("scheduleRelationship") == "ADDED":
            result["added"][trip_id] = [
                [each["stopId"], None, None, int(each["arrival"]["time"]),
                 int(each["departure"]["time"])] for each in update["stopTimeUpdate"]]
        elif trip_id not in timetable[1] or run_of(timetable, update, stamp) is None:
            result["unmatched"].append(trip_id)
        else:
            date = run_of(timetable, update, stamp)
            result["runs"][f"{trip_id}/{date}"] = expect(
                begin_of(timetable[0], date), timetable[1][trip_id][1], update["stopTimeUpdate"])
    return result


if __name__ == "__main__":
    if sys.argv[1] == "decode":
        json.dump(decode(sys.argv[2]), sys.stdout)
    else:
        json.dump(join(sys.argv[2], sys.argv[3]), sys.stdout)
