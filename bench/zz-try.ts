import { createChargingWorld, truthKey } from "/work/wt/h-identity/test/support/charging-world.ts";
import { compareWithTruth, precisionOf, recallOf } from "/work/wt/h-identity/test/support/facility-truth.ts";
import { mergePlaces } from "/work/wt/h-identity/src/core/places/merge-places.ts";
import { distance_m } from "/work/wt/h-identity/packages/kit/geo.ts";
for (const seed of [1,2,3,4,5,6,7,8]) {
const w = createChargingWorld(seed, 2000);
const t=performance.now(); const m = mergePlaces(w.sources, Infinity)!; const ms=performance.now()-t;
const a = compareWithTruth(w, m);
console.log(w.sources.map(s=>s.length).join("/"), ms.toFixed(0)+" ms", "p", precisionOf(a).toFixed(4), "r", recallOf(a).toFixed(4), a.wrong.length, a.missed.length, "of", a.wanted);
if (process.argv[2]==="w") {
 const show=([x,y]:any)=>{const f=(p:any)=>`${p.source_id[0]} ${p.external_id} op=${p.attributes.operator??"-"} n=${p.name} st=${p.address?.street??""} ${p.address?.number??""} k=${p.keys.filter((k:string)=>!k.startsWith("osm")).slice(0,2)} c=${JSON.stringify(p.attributes.charging)}`; console.log(distance_m(x.lat,x.lon,y.lat,y.lon).toFixed(0),"m\n   ",f(x),"\n   ",f(y));};
 console.log("WRONG"); a.wrong.slice(0,40).forEach(show); 
}}
import { companyOf, areOneCompany } from "../src/core/places/facility-evidence.ts";
const c:Record<string,number>={};
for (const seed of [1,2,3,4,5,6,7,8]) { const w=createChargingWorld(seed,2000); const a=compareWithTruth(w, mergePlaces(w.sources,Infinity)!);
 const split=new Set(w.sources[0]!.filter(p=>/[1-9]$/.test(p.external_id)).map(p=>p.external_id.slice(0,-1)));
 for (const [x,y] of a.missed){ const ops=[x,y].map(p=>companyOf(p.attributes.operator)); const m=distance_m(x.lat,x.lon,y.lat,y.lon);
  const k= [x,y].some(p=>p.source_id==="openstreetmap"&&split.has(p.external_id.slice(0,-1)))?"split": ops[0]&&ops[1]&&!areOneCompany(ops[0],ops[1])?"otherop": (!ops[0]||!ops[1]? "noop":"sameop")+(m>50?" far":m>25?" mid":" near"); c[k]=(c[k]??0)+1; if(k.startsWith("sameop")&&process.argv[2]) console.log(m.toFixed(0),JSON.stringify(x.attributes),x.address,x.keys.slice(0,3),"\n    ",JSON.stringify(y.attributes),y.address,y.keys.slice(0,3)); }}
console.log(c);
