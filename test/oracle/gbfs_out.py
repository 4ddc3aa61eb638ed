"""Another reader of the GBFS that a service publishes: standard library only.

gbfs_out.py MANIFEST    address of /gbfs/v3/manifest.json of a running service, or a file that a test wrote,
                        in which addresses may be paths of files

Reads every file of every system in 3.0 and 2.3, and writes one JSON object:

  systems, files, stations, vehicles, sources   numbers; sources: observations behind the stations
  merged      stations with more than one observation
  duplicates  pairs of docks, of one system or of two, that are one to anybody who looks: within 20 m, with the
              same name or the same number
  errors      what no consumer could work with: an id twice, a station without its status or a status without
              its station, a state that is not known, a number that is none, a null, systems of 2.3 and 3.0
              that differ

Nothing is shared with the product but the specification and docs/gbfs.md.
"""

import json
import math
import sys
import unicodedata
import urllib.request
from collections import defaultdict

NEAR_M = 20
EARTH_M = 6371008.8


def load(address):
    if address.startswith("http"):
        with urllib.request.urlopen(address, timeout=60) as reply:
            return json.loads(reply.read().decode())
    with open(address, encoding="utf-8") as file:
        return json.load(file)


def text(value):
    if isinstance(value, list):
        return value[0]["text"] if value else None
    return value


def folded(name):
    bare = unicodedata.normalize("NFKD", name or "")
    letters = "".join(c for c in bare if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in letters.lower()).split())


def metres(a, b):
    lat1, lon1, lat2, lon2 = map(math.radians, (a["lat"], a["lon"], b["lat"], b["lon"]))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_M * math.asin(math.sqrt(h))


def nulls(value, at):
    if value is None:
        yield at
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from nulls(each, f"{at}.{key}")
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from nulls(each, f"{at}[{i}]")


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class Reader:
    def __init__(self):
        self.files = 0
        self.errors = []

    def read(self, address):
        self.files += 1
        return load(address)

    def system(self, system_id, version, address):
        """Docks by id, and the number of vehicles."""
        data = self.read(address)["data"]
        if version == "2.3":
            (data,) = data.values()
        urls = {feed["name"]: feed["url"] for feed in data["feeds"]}
        files = {name: self.read(url) for name, url in urls.items()}
        where = f"{system_id} {version}"
        for name, file in files.items():
            self.errors += [f"{where} {name}: null at {at}" for at in nulls(file["data"], "data")]
        info = files["system_information"]["data"]
        if info["system_id"] != system_id:
            self.errors.append(f"{where}: is {info['system_id']}")
        docks = self.docks(where, files)
        self.status(where, version, docks, files)
        return docks, self.vehicles(where, version, files)

    def docks(self, where, files):
        docks = {}
        rows = files.get("station_information", {"data": {"stations": []}})["data"]["stations"]
        for row in rows:
            if row["station_id"] in docks:
                self.errors.append(f"{where}: {row['station_id']} twice")
            docks[row["station_id"]] = row
        return docks

    def status(self, where, version, docks, files):
        word = "vehicles" if version == "3.0" else "bikes"
        seen = set()
        for row in files.get("station_status", {"data": {"stations": []}})["data"]["stations"]:
            seen.add(row["station_id"])
            for flag in ("is_installed", "is_renting", "is_returning"):
                if row.get(flag) is not True and row.get(flag) is not False:
                    self.errors.append(f"{where}: {row['station_id']} {flag} {row.get(flag)}")
            counts = [row.get(f"num_{word}_available")]
            counts += [value for name, value in row.items() if name.startswith("num_")]
            if not all(map(is_count, counts)):
                self.errors.append(f"{where}: {row['station_id']} counts {counts}")
            typed = row.get("vehicle_types_available")
            if typed and sum(each["count"] for each in typed) != row[f"num_{word}_available"]:
                self.errors.append(f"{where}: {row['station_id']} counts of types")
        for missing in seen ^ docks.keys():
            self.errors.append(f"{where}: {missing} is in one of the two files")

    def vehicles(self, where, version, files):
        name, word, key = (
            ("vehicle_status", "vehicles", "vehicle_id")
            if version == "3.0"
            else ("free_bike_status", "bikes", "bike_id")
        )
        types = {row["vehicle_type_id"] for row in files["vehicle_types"]["data"]["vehicle_types"]} if (
            "vehicle_types" in files) else set()
        rows = files.get(name, {"data": {word: []}})["data"][word]
        ids = {row[key] for row in rows}
        if len(ids) != len(rows):
            self.errors.append(f"{where}: {len(rows) - len(ids)} vehicles twice")
        for row in rows:
            if "vehicle_type_id" in row and row["vehicle_type_id"] not in types:
                self.errors.append(f"{where}: no type {row['vehicle_type_id']}")
        return len(rows)


def duplicates(docks):
    """Pairs within NEAR_M of one another, by squares of a grid that are as wide."""
    grid = defaultdict(list)
    pairs = []
    for dock in docks:
        north = dock["lat"] * math.pi / 180 * EARTH_M / NEAR_M
        east = dock["lon"] * math.pi / 180 * EARTH_M * math.cos(math.radians(dock["lat"])) / NEAR_M
        cell = (math.floor(north), math.floor(east))
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for other in grid[cell[0] + i, cell[1] + j]:
                    same_name = folded(text(dock["name"])) == folded(text(other["name"])) != ""
                    number = text(dock.get("short_name"))
                    same_number = number is not None and number == text(other.get("short_name"))
                    if (same_name or same_number) and metres(dock, other) <= NEAR_M:
                        pairs.append([other["station_id"], dock["station_id"], text(dock["name"])])
        grid[cell].append(dock)
    return pairs


def main(address):
    reader = Reader()
    manifest = reader.read(address)
    everywhere, vehicles = [], 0
    for dataset in manifest["data"]["datasets"]:
        by_version = {}
        for version in dataset["versions"]:
            by_version[version["version"]] = reader.system(
                dataset["system_id"], version["version"], version["url"])
        docks, count = by_version["3.0"]
        if docks.keys() != by_version["2.3"][0].keys() or count != by_version["2.3"][1]:
            reader.errors.append(f"{dataset['system_id']}: 2.3 and 3.0 differ")
        everywhere += docks.values()
        vehicles += count
    sources = [dock["_vicinity"]["sources"] for dock in everywhere]
    json.dump({
        "systems": len(manifest["data"]["datasets"]),
        "files": reader.files,
        "stations": len(everywhere),
        "vehicles": vehicles,
        "sources": sum(map(len, sources)),
        "merged": sum(len(each) > 1 for each in sources),
        "duplicates": duplicates(everywhere),
        "errors": reader.errors,
    }, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
