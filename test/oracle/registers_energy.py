"""Another reader of charging points in OICP and DATEX II (its JSON encoding): standard library only.

registers_energy.py FILE...    one JSON line a file: {"places": [...], "states": [...]}

Nothing is shared with the product but the formats and docs/places.md. Points of OICP are one place where
operator, position and street are the same. Ids that are EVSE ids are written without separators. A
connector is its type and the most that a point gives through one of it, kW.
"""

import datetime
import json
import re
import sys

EVSE = re.compile(r"[A-Z]{2}[A-Z0-9]{3}E[A-Z0-9]{1,31}$")
TYPES = [("t1combo", "CCS1"), ("t2combo", "CCS2"), ("combo 1", "CCS1"), ("combo 2", "CCS2"),
         ("t1", "J1772"), ("t2", "Type 2"), ("type 1", "J1772"), ("type 2", "Type 2"),
         ("chademo", "CHAdeMO"), ("tesla", "Tesla")]
TAKEN = {"charging", "occupied", "reserved", "blocked"}
BROKEN = {"outofservice", "outoforder", "faulted", "inoperative", "outofstock", "unavailable"}


def plain(identifier):
    bare = re.sub(r"[*\-_.\s]", "", identifier).upper()
    return bare if EVSE.match(bare) else identifier


def plug(word):
    return next((name for part, name in TYPES if part in word.lower()), "Other")


def condition(word):
    word = word.lower()
    if word == "available":
        return "available"
    return "occupied" if word in TAKEN else "out_of_service" if word in BROKEN else None


def offers(pairs):
    most = {}
    for kind, power in pairs:
        most[kind] = max(most.get(kind, 0), power or 0)
    return sorted([kind, power or None] for kind, power in most.items())


def instant(text):
    return int(datetime.datetime.fromisoformat(text).timestamp()) if text else None


def oicp(document):
    places, states = {}, []
    for operator in document.get("EVSEData", []):
        for record in operator["EVSEDataRecord"]:
            position = record["GeoCoordinates"]["Google"]
            key = (operator["OperatorName"], position, record["Address"]["Street"])
            lat, lon = position.split()
            place = places.setdefault(key, {"lat": float(lat), "lon": float(lon), "points": [],
                                            "operator": operator["OperatorName"], "connectors": 0})
            power = max(float(each["power"]) for each in record["ChargingFacilities"])
            place["connectors"] += len(record["Plugs"])
            place["points"].append({"id": plain(record["EvseID"]),
                                    "offers": offers((plug(word), power) for word in record["Plugs"])})
    for operator in document.get("EVSEStatuses", []):
        for record in operator["EVSEStatusRecord"]:
            states.append({"id": plain(record["EvseID"]), "observed_s": None,
                           "state": condition(record["EVSEStatus"])})
    return {"places": list(places.values()), "states": states}


def named(tree, name):
    """Values of all members of that name, at any depth."""
    if isinstance(tree, list):
        return [found for each in tree for found in named(each, name)]
    if not isinstance(tree, dict):
        return []
    return [found for key, value in tree.items()
            for found in ([value] if key == name else named(value, name))]


def each_of(tree, name):
    return [row for rows in named(tree, name) for row in rows]


def datex(document):
    places, states = [], []
    for site in each_of(document, "energyInfrastructureSite"):
        point_rows = named(site["energyInfrastructureStation"], "aegiElectricChargingPoint")
        position = named(site["locationReference"], "coordinatesForDisplay")[0]
        points = []
        for point in point_rows:
            pairs = [(plug(each["connectorType"]["value"]), each["maxPowerAtSocket"] / 1000)
                     for each in point["connector"]]
            points.append({"id": plain(point["idG"]), "offers": offers(pairs)})
        places.append({"lat": position["latitude"], "lon": position["longitude"], "points": points,
                       "operator": named(named(site["operator"], "name")[0], "value")[0],
                       "connectors": sum(len(each["connector"]) for each in point_rows)})
    for state in named(document, "aegiElectricChargingPointStatus"):
        states.append({"id": plain(state["reference"]["idG"]), "state": condition(state["status"]["value"]),
                       "observed_s": instant(state["lastUpdated"])})
    return {"places": places, "states": states}


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    print(json.dumps(oicp(content) if any(key.startswith("EVSE") for key in content) else datex(content)))
