"""Another reader of OCPI locations and of the French register of charging points: standard library only.

registers_bulk.py FILE...    one JSON line a file: {"places": [...], "states": [...], "power": kW}

Nothing is shared with the product but the formats and docs/places.md. A place is [id, lat, lon, points],
a state [id, word or null]; `power` is the sum over the points of the most that one of their plugs gives,
in hundredths of a kilowatt. `register` counts what the notes on the French capture count.
"""

import csv
import gzip
import io
import json
import math
import re
import sys

EVSE = re.compile(r"[A-Z]{2}[A-Z0-9]{3}E[A-Z0-9]{1,31}$")
FREE, BUSY, BROKEN = "available", "occupied", "out_of_service"
OCPI_STATES = {
    "AVAILABLE": FREE,
    "CHARGING": BUSY,
    "RESERVED": BUSY,
    "BLOCKED": BUSY,
    "INOPERATIVE": BROKEN,
    "OUTOFORDER": BROKEN,
}


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if path.endswith(".gz") else data).decode("utf-8-sig")


def evse_id(text):
    bare = re.sub(r"[\s*\-_.]", "", str(text or "")).upper()
    return bare if EVSE.match(bare) else None


def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def hundredths(kilowatts):
    """JavaScript rounds halves up; none, less than nothing, and more than is built are unknown."""
    if kilowatts is None or not 0 < kilowatts <= 4000:
        return 0
    return math.floor(kilowatts * 100 + 0.5)


def plug_power(connector):
    stated = number(connector.get("max_electric_power"))
    if stated is not None:
        power = hundredths(stated if stated < 1000 else stated / 1000)
        if power:
            return power
    volts = number(connector.get("max_voltage", connector.get("voltage")))
    amperes = number(connector.get("max_amperage", connector.get("amperage")))
    kind = str(connector.get("power_type") or "").upper()
    if volts is None or amperes is None or kind not in ("AC_1_PHASE", "AC_3_PHASE", "DC"):
        return 0
    phases = 1 if kind != "AC_3_PHASE" else 3 if volts < 300 else math.sqrt(3)
    return hundredths(volts * amperes * phases / 1000)


def ocpi(document):
    rows = document if isinstance(document, list) else document["data"]
    places, states, power, seen = [], {}, 0, set()
    for row in rows:
        if row.get("publish") is False:
            continue
        nested = [row] + list(row.get("charging_pool") or [])
        evses = [evse for part in nested for evse in part.get("evses") or []]
        status = [str(evse.get("status") or "").strip().upper() for evse in evses]
        here = [(e, s) for e, s in zip(evses, status) if s not in ("REMOVED", "PLANNED")]
        country = row.get("country_code") or row.get("country") or ""
        party = (row.get("party_id") or "").upper() or "Test register"
        place_id = "/".join(part for part in (country.upper(), party, str(row["id"])) if part)
        inside = {}
        for evse, word in here:
            uid = str(evse.get("uid") or "").strip()
            point = evse_id(evse.get("evse_id")) or (f"{place_id}/{uid}" if uid else None)
            if point is None:
                continue
            inside.setdefault(point, set()).add(OCPI_STATES.get(word))
        for point, words in inside.items():
            states.setdefault(point, words.pop() if len(words) == 1 else None)
        at = row.get("coordinates") or {}
        lat, lon = number(at.get("latitude")), number(at.get("longitude"))
        lost = lat is None or lon is None or abs(lat) > 90 or abs(lon) > 180
        if lost or (lat, lon) in ((0, 0), (1, 1)) or (evses and not here) or place_id in seen:
            continue
        seen.add(place_id)
        places.append([place_id, lat, lon, len(here)])
        for evse, _ in here:
            power += max([plug_power(plug) for plug in evse.get("connectors") or []] or [0])
    return {"places": places, "states": sorted(states.items()), "power": power}


def irve(rows):
    stations, plain, register = {}, 0, {"plugless": 0, "stated": 0, "differs": 0}
    for row in rows:
        stations.setdefault(row["id_station_itinerance"], []).append(row)
    places = []
    for station, points in stations.items():
        lon, lat = json.loads(points[0]["coordonneesXY"])
        places.append([station, lat, lon, len(points)])
        register["differs"] += sum(int(point["nbre_pdc"]) != len(points) for point in points)
    names = ("ef", "2", "combo_ccs", "chademo", "autre")
    for row in rows:
        power = hundredths(float(row["puissance_nominale"]))
        plugs = sum(row[f"prise_type_{name}"] == "True" for name in names)
        register["stated"] += power
        register["plugless"] += plugs == 0
        plain += power if plugs else 0
    return {"places": places, "states": [], "power": plain, "register": register}


def irve_states(text):
    states = {}
    for row in csv.DictReader(io.StringIO(text)):
        occupied = {"libre": FREE, "occupe": BUSY, "reserve": BUSY}.get(row["occupation_pdc"])
        on = row["etat_pdc"] == "en_service"
        broken = row["etat_pdc"] == "hors_service"
        states[evse_id(row["id_pdc_itinerance"])] = BROKEN if broken else occupied if on else None
    return {"places": [], "states": sorted(states.items()), "power": 0}


def read(path):
    text = load(path)
    if path.endswith(".csv"):
        return irve_states(text)
    if "irve" in path:
        return irve([json.loads(line) for line in text.splitlines()])
    return ocpi(json.loads(text))


for path in sys.argv[1:]:
    print(json.dumps(read(path)))
