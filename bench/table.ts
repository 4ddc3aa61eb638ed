/** The benchmarks by name, each a module `bench/NAME.ts`: what it measures, and its options. */
import type { NamedCommand } from "../scripts/named.ts";

export const BENCHMARKS: Readonly<Record<string, NamedCommand>> = {
  access: {
    shows: "what keys, limits and metering leave of the throughput of /v1/nearby",
    options:
      "[--entities 100000] [--seconds 1.5] [--rounds 9] [--connections 32] [--rate 1000] [--bands NAME,…]",
  },
  "bad-keys": {
    shows: "the cost of invalid keys, and whether its time reveals a nearly right one",
    options: "[--count 100000] [--seed 1]",
  },
  base: {
    shows: "the import of an extract of the open map, services over it, and what pages cost",
    options:
      "[--quarters 85000] [--copies EXTRACT] [--megabytes 100] [--rounds 3] [--services] [--seconds 4] [--pages 30]",
  },
  "base-geocoder": {
    shows: "making, opening and asking the geocoder of a base",
    options: "[--addresses 500000] [--questions 4000] [--extracts NAME,…]",
  },
  "base-map": {
    shows: "time and size of tiles of a base, and what the map adds to it",
    options: "[FILE.osm.pbf] [--rounds 5]",
  },
  "base-map-pages": {
    shows: "how many tiles of a base in pages are those of a base of one page",
    options: "[FILE.osm.pbf …] [--page-bytes 262144]",
  },
  "base-names": {
    shows: "questions by name over 1 to 500 bases, and what the words of many pages take",
    options: "[--bases 1,10,50,500] [--questions 400] [--pages 400] [--words 40000] [--rounds 5]",
  },
  datasets: {
    shows: "datasets put and read, in a folder or in PostgreSQL",
    options: "[--seconds 4] [--folder DIR] [--postgres]",
  },
  "dense-places": {
    shows: "processor time and longest stretch of a search where places are dense",
    options: "[--seconds 2] [--only WORDS]",
  },
  departures: {
    shows: "departures of a city with live data, and the wait while a message is applied",
    options: "[--feeds 3] [--calls 500000] [--seconds 60] [--radius 400]",
  },
  durable: {
    shows: "the cost of recording each reply before it leaves, without the service",
    options: "[--work 30] [--bytes 24000] [--rounds 20] [--seconds 0.5] [--connections 192]",
  },
  explorer: { shows: "weight, start and frames of the map page in a browser", options: "" },
  federation: {
    shows: "sources that are asked at once, against a bare Promise.all",
    options: "[--seconds 3] [--rounds 5] [--connections 64]",
  },
  pictures: { shows: "processor time and size of the pictures of links", options: "" },
  "explorer-live": {
    shows:
      "script a frame, layout shift and memory of the page while a stream moves five thousand things",
    options: "[--things 5000] [--seconds 20]",
  },
  gtfs: {
    shows: "the import of a timetable, against the npm package gtfs",
    options: "[--feed NAME] [--rounds 5] [--copies 10] [--version 4.21.0]",
  },
  handover: { shows: "handing a big system from replica to replica", options: "" },
  "hostile-departures": {
    shows: "departures near hostile timetables and live files",
    options: "[--rounds 20] [--only NAME]",
  },
  hours: { shows: "the evaluation of opening hours", options: "[--rounds 7]" },
  http: {
    shows: "ways to answer over HTTP (docs/decisions/0026-node-http-and-a-router.md)",
    options: "[--bytes 303,24000] [--seconds 2] [--rounds 7] [--ways NAME,…]",
  },
  identity: {
    shows: "identity resolution of a world that two sources see",
    options: "[--stations 600000] [--rounds 3] [--spacing 170] [--seed 1]",
  },
  ledger: { shows: "events that the ledger of a fleet takes", options: "[--seconds 4]" },
  limits: { shows: "rates over HTTP, in real time", options: "[--seconds 60]" },
  "live-rows": {
    shows: "what reading a system as rows of the live map costs",
    options: "[--entities 450] [--national 100000] [--step 1000] [--rounds 2000] [--seed 3]",
  },
  "live-tiles": {
    shows: "processor time and bytes of tiles of the live layer, drawn and kept",
    options: "[--rounds 200] [--systems 500]",
  },
  merged: {
    shows: "the cost of an answer of merged stations against plain ones",
    options: "[--entities 600000] [--seconds 1.5] [--rounds 9] [--feeds 25] [--bands NAME,…]",
  },
  nearby: {
    shows: "/v1/nearby as a share of a bare server that sends the same bytes",
    options:
      "[--entities N,…] [--seconds 4] [--rounds 5] [--feeds 25] [--rate 1000] [--bands NAME,…] [--doubled] [--json FILE]",
  },
  nearbench: {
    shows: "200 questions of what is near, in ten languages, put to a server of tools and scored",
    options:
      "[--url MCP_URL | --command 'PROGRAM ARGUMENT …'] [--truth SIMULATOR_URL] [--model FILE.js | --rules] [--transcript FILE.jsonl] [--record FILE.jsonl] [--only ID,…] [--kind KIND,…] [--language CODE,…] [--show]",
  },
  "nearby-on-foot": {
    shows: "what ways on foot add to an answer of /v1/nearby, in process",
    options: "[FILE.osm.pbf] [--things 6000] [--questions 300] [--rounds 5]",
  },
  overload: {
    shows: "ten times the load that the server can handle",
    options:
      "[--entities 100000] [--seconds 30] [--times 10] [--connections 1000] [--keyed 0.05] [--band NAME] [--ask QUERY]",
  },
  peers: {
    shows: "/v1/nearby against Redis, PostGIS and SQLite behind a server",
    options: "[--entities 600000] [--rounds 5] [--seconds 2] [--rate 300] [--feeds 100]",
  },
  "places-identity": {
    shows: "how well car parks and charging stations of several sources are recognised",
    options: "[--sites 4000] [--seeds 8] [--rounds 200] [--show 12]",
  },
  registers: {
    shows: "reading a national register of charging points, against csv-parse and JSON.parse",
    options: "[--rows 224488] [--rounds 3] [--seed 1]",
  },
  "registers-at-once": {
    shows: "memory of several large registers that are read at once, in turns and without",
    options: "[--rows 112000] [--registers 3]",
  },
  revocations: {
    shows: "how fast a revoked key is refused by another replica",
    options: "[--count 300] [--cut 40]",
  },
  split: {
    shows: "what it takes to split an extract into runs of its pages",
    options: "FILE.osm.pbf [--page-mb 64] [--memory-mb 512]",
  },
  stream: {
    shows: "what subscribers of boxes cost, and questions at the same time (docs/lab/live-map.md)",
    options:
      "[--subscribers 250,1000,4000,5000] [--seconds 30] [--systems 500] [--entities 450] [--cities 50] [--files 25] [--changed 0.05] [--rate 50]",
  },
  threads: {
    shows: "what several serving threads on one port could do",
    options:
      "[--entities 100000] [--seconds 1.5] [--rounds 9] [--connections 128] [--bands NAME,…]",
  },
  "timetable-store": {
    shows: "storing timetables, and reading them back",
    options: "[--rounds 3]",
  },
  timetables: {
    shows: "a made timetable, of a nation with --national: its import, its pack, departures of it",
    options:
      "[--national] [--calls 1000000] [--patterns 130000] [--profiles 2] [--seed 1] [--questions 4000] [--folder DIR]",
  },
  "vehicle-pairs": {
    shows: "pairing of vehicles that two sources list",
    options: "[--vehicles 20000] [--side 8000] [--slice 1] [--rounds 25] [--seed 1]",
  },
  walking: {
    shows: "ways on foot over 1.8 million edges: nearest edge, twenty ways, fifteen minutes",
    options: "[FILE.osm.pbf] [--copies 48] [--questions 3000] | --import | --answers [--rounds 5]",
  },
  workers: {
    shows: "one thread that serves, two, and two processes, in turn; and what is resident of each",
    options: "[--entities 100000] [--rounds 5] [--seconds 3] [--connections 32] [--memory 600000]",
  },
};
