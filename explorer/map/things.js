/**
 * The layer of things: all of them in one draw call. Where each was and where it is lie on the
 * graphics card, so that a thousand that move cost a frame one number.
 */
import { createSprites, CELL } from "./sprites.js";
import { toMercator } from "./geometry.js";

/** @typedef {import("../data/items.js").Item} Item @typedef {{ lat: number, lon: number }} Point */

/** x and y before and now, left and top of the sprite, size, emphasis, age. */
const PER_THING = 9;
const MOVE_MS = 1600;
const LAYERS = { vehicle: 0, service: 1, transit: 2, station: 3 };

const VERTEX = `#version 300 es
in vec2 corner; in vec4 way; in vec2 cell; in vec3 look;
uniform vec2 origin, view; uniform vec2 turn; uniform float scale, share, side, sheet, cellpx;
out vec2 at; out float shown;
void main() {
  float ease = share * share * (3.0 - 2.0 * share);
  vec2 moved = mix(way.xy, way.zw, ease) * scale;
  vec2 turned = vec2(moved.x * turn.x - moved.y * turn.y, moved.x * turn.y + moved.y * turn.x);
  float fresh = look.z > 0.5 ? min(1.0, share * 4.0) : 1.0;
  float size = cellpx * look.x * (0.6 + 0.4 * fresh);
  vec2 px = origin + turned + corner * size;
  gl_Position = vec4(px.x / view.x * 2.0 - 1.0, 1.0 - px.y / view.y * 2.0, 0.0, 1.0);
  at = (cell + (corner + 0.5) * side) / sheet;
  shown = fresh * look.y;
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at; in float shown; uniform sampler2D sheetOf; out vec4 color;
void main() { color = texture(sheetOf, at) * shown; }`;

/**
 * @typedef {{ x: number, y: number }} Spot
 * @typedef {{ item: Item, now: Spot, from: Spot, fresh: boolean }} Row
 */

/** Draws things on their own sheet over the map, which need not be redrawn when something moves. @param {any} map */
export function createThings(map) {
  const sprites = createSprites();
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const canvas = document.createElement("canvas");
  canvas.className = "things";
  map.getCanvas().after(canvas);
  const gl = canvas.getContext("webgl2", { antialias: false });
  if (!gl) throw new Error("this browser has no WebGL 2");
  const parts = build(gl, sprites.sheet);
  /** @type {Row[]} */
  let rows = [];
  let buffer = new Float32Array(0);
  let stale = true;
  let dark = false;
  let began = 0;
  let asked = false;
  let selected = /** @type {string | null} */ (null);
  let hovered = /** @type {string | null} */ (null);

  const share = () => (still.matches ? 1 : Math.min(1, (performance.now() - began) / MOVE_MS));
  /** Made when something changes, so that a frame has only to hand it over. */
  const change = () => {
    buffer = toBuffer(rows, (item) => sprites.find(item, dark), { selected, hovered });
    stale = true;
    later();
  };
  const later = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
  const draw = () => {
    loadSprites(gl, parts.texture, sprites.takeFresh());
    if (stale) {
      gl.bindBuffer(gl.ARRAY_BUFFER, parts.things);
      gl.bufferData(gl.ARRAY_BUFFER, buffer, gl.DYNAMIC_DRAW);
      stale = false;
    }
    const origin = rows[0]?.now ?? { x: 0, y: 0 };
    drawAll(gl, parts, { map, origin, share: share(), count: rows.length, sprites });
    if (share() < 1) later();
  };
  const fit = () => {
    const { width, height } = map.getCanvas();
    canvas.width = width;
    canvas.height = height;
    later();
  };
  fit();
  map.on("resize", fit);
  map.on("render", draw);

  return {
    /** @param {Item[]} next */
    show(next) {
      const before = new Map(rows.map((row) => [row.item.id, spotAt(row, share())]));
      rows = toRows(next, before);
      began = performance.now();
      change();
    },
    /** @param {string | null} id */
    select(id) {
      selected = id;
      change();
    },
    /** @param {string | null} id */
    hover(id) {
      if (hovered === id) return;
      hovered = id;
      change();
    },
    /** @param {boolean} is */
    setDark(is) {
      dark = is;
      change();
    },
    /** What is under a point of the screen, the uppermost first. @param {{ x: number, y: number }} at @returns {Item | null} */
    find(at) {
      let best = null;
      let least = 20;
      for (const { item } of rows) {
        const { x, y } = map.project([item.lon, item.lat]);
        const away = Math.hypot(x - at.x, y - at.y) - LAYERS[item.layer];
        if (away < least) [best, least] = [item, away];
      }
      return best;
    },
  };
}

/** Where a thing is seen on its way. @param {Row} row @param {number} share @returns {Spot} */
function spotAt({ from, now }, share) {
  const ease = share * share * (3 - 2 * share);
  return { x: from.x + (now.x - from.x) * ease, y: from.y + (now.y - from.y) * ease };
}

/** What is nearer to the reader's interest lies on top; southern things before northern ones. @param {Item[]} items @param {Map<string, Spot>} before @returns {Row[]} */
function toRows(items, before) {
  const rows = items.flatMap((item) => {
    if (!item.onMap) return [];
    const now = toMercator(item);
    const from = before.get(item.id);
    return [{ item, now, from: from ?? now, fresh: from === undefined }];
  });
  return rows.sort((a, b) => LAYERS[a.item.layer] - LAYERS[b.item.layer] || a.now.y - b.now.y);
}

/** @param {Row[]} rows @param {(item: Item) => { left: number, top: number }} place @param {{ selected: string | null, hovered: string | null }} marked */
function toBuffer(rows, place, { selected, hovered }) {
  const buffer = new Float32Array(rows.length * PER_THING);
  const origin = rows[0]?.now ?? { x: 0, y: 0 };
  let at = 0;
  for (const { item, now, from, fresh } of rows) {
    const { left, top } = place(item);
    const { id, layer } = item;
    buffer[at++] = from.x - origin.x;
    buffer[at++] = from.y - origin.y;
    buffer[at++] = now.x - origin.x;
    buffer[at++] = now.y - origin.y;
    buffer[at++] = left;
    buffer[at++] = top;
    buffer[at++] = id === selected ? 1.35 : id === hovered ? 1.2 : 1;
    buffer[at++] = selected !== null && id !== selected && layer === "vehicle" ? 0.85 : 1;
    buffer[at++] = fresh ? 1 : 0;
  }
  return buffer;
}

/** From afar things are smaller, or they would hide each other. @param {number} zoom */
function sizeAt(zoom) {
  return Math.min(1, Math.max(0.58, 0.58 + (zoom - 13.6) * 0.21));
}

/** @param {WebGL2RenderingContext} gl @param {number} sheet */
function build(gl, sheet) {
  const program = gl.createProgram();
  for (const [type, source] of /** @type {const} */ ([
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(type));
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new Error(gl.getProgramInfoLog(program) ?? "link");
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(
    gl.ARRAY_BUFFER,
    new Float32Array([-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]),
    gl.STATIC_DRAW,
  );
  const things = gl.createBuffer();
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  attribute(gl, program, {
    name: "corner",
    buffer: corners,
    size: 2,
    stride: 8,
    offset: 0,
    each: 0,
  });
  const stride = PER_THING * 4;
  attribute(gl, program, { name: "way", buffer: things, size: 4, stride, offset: 0, each: 1 });
  attribute(gl, program, { name: "cell", buffer: things, size: 2, stride, offset: 16, each: 1 });
  attribute(gl, program, { name: "look", buffer: things, size: 3, stride, offset: 24, each: 1 });
  gl.bindVertexArray(null);
  const names = ["origin", "view", "turn", "scale", "share", "side", "sheet", "cellpx", "sheetOf"];
  const uniforms = Object.fromEntries(
    names.map((name) => [name, gl.getUniformLocation(program, name)]),
  );
  return { program, things, array, uniforms, texture: createSheet(gl, sheet) };
}

/** @param {WebGL2RenderingContext} gl @param {WebGLProgram} program @param {any} given */
function attribute(gl, program, { name, buffer, size, stride, offset, each }) {
  const at = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
  gl.vertexAttribDivisor(at, each);
}

/** Empty; sprites are put in as they are drawn. @param {WebGL2RenderingContext} gl @param {number} side */
function createSheet(gl, side) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, side, side);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

/** @param {WebGL2RenderingContext} gl @param {WebGLTexture} texture @param {{ left: number, top: number, pixels: ImageData }[]} fresh */
function loadSprites(gl, texture, fresh) {
  if (fresh.length === 0) return;
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  for (const { left, top, pixels } of fresh)
    gl.texSubImage2D(gl.TEXTURE_2D, 0, left, top, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
}

/** @param {WebGL2RenderingContext} gl @param {any} parts @param {any} now */
function drawAll(gl, parts, { map, origin, share, count, sprites }) {
  const { uniforms } = parts;
  const world = 512 * 2 ** map.getZoom();
  // Of the canvas, since asking the page for its layout would make the frame wait for it.
  const canvas = map.getCanvas();
  const ratio = map.getPixelRatio();
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  const lon = origin.x * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * origin.y))) * 180) / Math.PI;
  const { x, y } = map.project([lon, lat]);
  const bearing = (-map.getBearing() * Math.PI) / 180;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  if (count === 0) return;
  gl.useProgram(parts.program);
  gl.bindVertexArray(parts.array);
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, parts.texture);
  gl.uniform1i(uniforms.sheetOf, 0);
  gl.uniform2f(uniforms.origin, x, y);
  gl.uniform2f(uniforms.view, width, height);
  gl.uniform2f(uniforms.turn, Math.cos(bearing), Math.sin(bearing));
  gl.uniform1f(uniforms.scale, world);
  gl.uniform1f(uniforms.share, share);
  gl.uniform1f(uniforms.side, sprites.side);
  gl.uniform1f(uniforms.sheet, sprites.sheet);
  gl.uniform1f(uniforms.cellpx, CELL * sizeAt(map.getZoom()));
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  gl.bindVertexArray(null);
}
