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
  float fresh = look.z > 0.5 ? ease : 1.0;
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

/** @param {any} map */
export function createThings(map) {
  let gl = /** @type {WebGL2RenderingContext | null} */ (null);
  /** @type {any} */
  let parts = null;
  let stale = true;
  let sheetStale = true;
  let dark = false;
  /** @type {Item[]} */
  let items = [];
  /** @type {Map<string, { x: number, y: number }>} */
  let before = new Map();
  let origin = { x: 0, y: 0 };
  let began = 0;
  /** @type {string | null} */
  let selected = null;
  /** @type {string | null} */
  let hovered = null;
  const sprites = createSprites(() => (sheetStale = true));
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  const share = () => (still.matches ? 1 : Math.min(1, (performance.now() - began) / MOVE_MS));

  /** @param {Item} item */
  const sizeOf = (item) => (item.id === selected ? 1.35 : item.id === hovered ? 1.2 : 1);
  /** @param {Item} item */
  const shownOf = (item) =>
    selected !== null && item.id !== selected && item.layer === "vehicle" ? 0.85 : 1;

  const toBuffer = () => {
    const buffer = new Float32Array(items.length * PER_THING);
    items.forEach((item, n) => {
      const now = toMercator(item);
      const old = before.get(item.id);
      const { left, top } = sprites.find(item, dark);
      const from = old ?? now;
      buffer.set(
        [
          ...[from.x - origin.x, from.y - origin.y, now.x - origin.x, now.y - origin.y],
          ...[left, top, sizeOf(item), shownOf(item), old ? 0 : 1],
        ],
        n * PER_THING,
      );
    });
    return buffer;
  };

  const layer = {
    id: "things",
    type: "custom",
    renderingMode: "2d",
    /** @param {any} _map @param {WebGL2RenderingContext} context */
    onAdd(_map, context) {
      gl = context;
      parts = build(context);
      stale = true;
      sheetStale = true;
    },
    onRemove() {
      parts = null;
    },
    render() {
      if (!gl || !parts || items.length === 0) return;
      if (stale) {
        const buffer = toBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, parts.things);
        gl.bufferData(gl.ARRAY_BUFFER, buffer, gl.DYNAMIC_DRAW);
        stale = false;
      }
      if (sheetStale) {
        loadSheet(gl, parts.texture, sprites.canvas);
        sheetStale = false;
      }
      drawAll(gl, parts, { map, origin, share: share(), count: items.length, sprites });
      if (share() < 1) map.triggerRepaint();
    },
  };

  const change = () => {
    stale = true;
    map.triggerRepaint();
  };

  return {
    layer,
    /** @param {Item[]} next */
    show(next) {
      const s = share();
      const ease = s * s * (3 - 2 * s);
      /** @type {Map<string, { x: number, y: number }>} */
      const seen = new Map();
      for (const item of items) {
        const now = toMercator(item);
        const from = before.get(item.id) ?? now;
        seen.set(item.id, {
          x: from.x + (now.x - from.x) * ease,
          y: from.y + (now.y - from.y) * ease,
        });
      }
      before = seen;
      items = next.filter(({ onMap }) => onMap).toSorted((a, b) => orderOf(a) - orderOf(b));
      const first = items[0];
      if (first) origin = toMercator(first);
      began = performance.now();
      change();
    },
    /** @param {string | null} id */
    select(id) {
      selected = id;
      before = settle(items);
      change();
    },
    /** @param {string | null} id */
    hover(id) {
      if (hovered === id) return;
      hovered = id;
      if (share() >= 1) before = settle(items);
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
      for (const item of items) {
        const { x, y } = map.project([item.lon, item.lat]);
        const away = Math.hypot(x - at.x, y - at.y) - LAYERS[item.layer];
        if (away < least) [best, least] = [item, away];
      }
      return best;
    },
  };
}

/** @param {Item[]} items */
function settle(items) {
  return new Map(items.map((item) => [item.id, toMercator(item)]));
}

/** What is nearer to the reader's interest lies on top; southern things before northern ones. @param {Item} item */
function orderOf(item) {
  return LAYERS[item.layer] * 1000 - item.lat;
}

/** From afar things are smaller, or they would hide each other. @param {number} zoom */
function sizeAt(zoom) {
  return Math.min(1, Math.max(0.58, 0.58 + (zoom - 13.6) * 0.21));
}

/** @param {WebGL2RenderingContext} gl */
function build(gl) {
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
  return { program, things, array, uniforms, texture: gl.createTexture() };
}

/** @param {WebGL2RenderingContext} gl @param {WebGLProgram} program @param {any} given */
function attribute(gl, program, { name, buffer, size, stride, offset, each }) {
  const at = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, size, gl.FLOAT, false, stride, offset);
  gl.vertexAttribDivisor(at, each);
}

/** @param {WebGL2RenderingContext} gl @param {WebGLTexture} texture @param {HTMLCanvasElement} canvas */
function loadSheet(gl, texture, canvas) {
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

/** @param {WebGL2RenderingContext} gl @param {any} parts @param {any} now */
function drawAll(gl, parts, { map, origin, share, count, sprites }) {
  const { uniforms } = parts;
  const world = 512 * 2 ** map.getZoom();
  const { width, height } = map.getCanvas().getBoundingClientRect();
  const lon = origin.x * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * origin.y))) * 180) / Math.PI;
  const { x, y } = map.project([lon, lat]);
  const bearing = (-map.getBearing() * Math.PI) / 180;
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
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.STENCIL_TEST);
  gl.disable(gl.CULL_FACE);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  gl.bindVertexArray(null);
}
