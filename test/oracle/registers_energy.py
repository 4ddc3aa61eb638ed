"""Another reader of charging points in OICP and in the AFIR profile of DATEX II (JSON): standard library only.

registers_energy.py FILE...    one JSON line a file: {"sites", "points", "ids", "plugs", "kw", "positions", "states"}

Nothing is shared with the product but the formats and docs/places.md. `ids` are EVSE ids without their
separators, `kw` the sum over connectors, `states` by word of the product; null is what says nothing.
"""

import collections
import json
import re
import sys

OICP_PLUGS = {"Type 2 Outlet": "Type 2"}
OICP_STATES = {"Available": "available", "Occupied": "occupied", "OutOfService": "out_of_service"}
DATEX_PLUGS = {"iec62196T2": "Type 2", "chademo": "CHAdeMO"}
DATEX_STATES = {"charging": "occupied", "available": "available"}


def bare(identifier):
    return re.sub(r"[^A-Z0-9]", "", identifier.upper())


def walk(value, name):
    """Values of members of that name at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from walk(each, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == name:
                yield from each if isinstance(each, list) else [each]
            yield from walk(each, name)


def result(positions=(), points=0, ids=(), plugs=(), kw=0, states=()):
    return {
        "sites": len(positions),
        "points": points,
        "ids": sorted(ids),
        "plugs": dict(sorted(collections.Counter(plugs).items())),
        "kw": round(kw, 2),
        "positions": sorted(positions),
        "states": sorted(states),
    }


def oicp_data(document):
    records = list(walk(document, "EVSEDataRecord"))
    at = lambda record: tuple(float(part) for part in record["GeoCoordinates"]["Google"].split())
    return result(
        positions=list({(at(record), record["Address"]["Street"]): at(record) for record in records}.values()),
        points=len(records),
        ids=[bare(record["EvseID"]) for record in records],
        plugs=[OICP_PLUGS[plug] for record in records for plug in record["Plugs"]],
        kw=sum(float(each["power"]) for record in records for each in record["ChargingFacilities"]),
    )


def oicp_status(document):
    records = walk(document, "EVSEStatusRecord")
    return result(
        states=[[bare(each["EvseID"]), OICP_STATES.get(each["EVSEStatus"]) or ""] for each in records]
    )


def datex_table(document):
    sites = list(walk(document, "energyInfrastructureSite"))
    points = list(walk(document, "aegiElectricChargingPoint"))
    connectors = [each for point in points for each in point["connector"]]
    ids = [
        bare(each["identifier"])
        for point in points
        for each in walk(point, "externalIdentifier")
        if each["typeOfIdentifier"].get("extendedValueG") == "evseId"
    ]
    positions = []
    for site in sites:
        shown = next(walk(site["locationReference"], "coordinatesForDisplay"))
        positions.append((shown["latitude"], shown["longitude"]))
    return result(
        positions=positions,
        points=len(points),
        ids=ids,
        plugs=[DATEX_PLUGS.get(each["connectorType"]["value"], "Other") for each in connectors],
        kw=sum(each["maxPowerAtSocket"] / 1000 for each in connectors),
    )


def datex_status(document):
    points = walk(document, "aegiElectricChargingPointStatus")
    return result(
        states=[[each["reference"]["idG"], DATEX_STATES.get(each["status"]["value"]) or ""] for each in points]
    )


READERS = [
    ("EVSEData", oicp_data),
    ("EVSEStatuses", oicp_status),
    ("aegiEnergyInfrastructureTablePublication", datex_table),
    ("aegiEnergyInfrastructureStatusPublication", datex_status),
]

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    read = next(reader for name, reader in READERS if next(walk(content, name), None) is not None)
    print(json.dumps(read(content)))
