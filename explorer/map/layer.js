/**
 * Sprites over the map on a canvas of their own, all in one draw call. Where each was and where it
 * is lie on the graphics card, so that a thousand that move cost a frame one number.
 */
import { CELL } from "./sprites.js";

/** x and y before and now; left and top of the sprite; size, opacity, whether it is new (1) or leaves (2); offset. */
export const PER_SPRITE = 11;

const VERTEX = `#version 300 es
in vec2 corner; in vec4 way; in vec2 cell; in vec3 look; in vec2 aside;
uniform vec2 origin, view; uniform vec2 turn; uniform float scale, share, side, sheet, cellpx;
out vec2 at; out float shown;
void main() {
  float ease = share * share * (3.0 - 2.0 * share);
  vec2 moved = mix(way.xy, way.zw, ease) * scale;
  vec2 turned = vec2(moved.x * turn.x - moved.y * turn.y, moved.x * turn.y + moved.y * turn.x);
  float come = min(1.0, share * 4.0);
  float fresh = look.z > 1.5 ? 1.0 - come : look.z > 0.5 ? come : 1.0;
  float size = cellpx * look.x * (0.6 + 0.4 * fresh);
  vec2 px = origin + turned + corner * size + aside * cellpx;
  gl_Position = vec4(px.x / view.x * 2.0 - 1.0, 1.0 - px.y / view.y * 2.0, 0.0, 1.0);
  at = (cell + (corner + 0.5) * side) / sheet;
  shown = fresh * look.y;
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at; in float shown; uniform sampler2D sheetOf; out vec4 color;
void main() { color = texture(sheetOf, at) * shown; }`;

/**
 * @typedef {{ x: number, y: number }} Spot in Web Mercator from 0 to 1
 * @typedef {{ share: number, size: number }} Moment how far the way is gone; how large sprites are
 */

/** @param {any} map @param {ReturnType<typeof import("./sprites.js").createSprites>} sprites */
export function createLayer(map, sprites) {
  const canvas = document.createElement("canvas");
  canvas.className = "things";
  map.getCanvas().after(canvas);
  const gl = canvas.getContext("webgl2", { antialias: false });
  if (!gl) throw new Error("this browser has no WebGL 2");
  const parts = build(gl, sprites.sheet);
  let origin = { x: 0, y: 0 };
  let count = 0;
  /** The origin in pixels of the screen, by the map's own reckoning. @returns {Spot} */
  const project = () => {
    const centre = map.getCenter().lng;
    const lon = origin.x * 360 - 180;
    const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * origin.y))) * 180) / Math.PI;
    return map.project([lon + 360 * Math.round((centre - lon) / 360), lat]);
  };
  const turn = () => {
    const bearing = (-map.getBearing() * Math.PI) / 180;
    return { cos: Math.cos(bearing), sin: Math.sin(bearing) };
  };
  return {
    /** The canvas is as large as the map's. */
    fit() {
      const { width, height } = map.getCanvas();
      canvas.width = width;
      canvas.height = height;
    },
    /** @param {Float32Array} buffer @param {Spot} from what its places are relative to */
    load(buffer, from) {
      origin = from;
      count = buffer.length / PER_SPRITE;
      gl.bindBuffer(gl.ARRAY_BUFFER, parts.instances);
      gl.bufferData(gl.ARRAY_BUFFER, buffer, gl.DYNAMIC_DRAW);
    },
    /** The place of a spot on the screen, in pixels. @param {Spot} spot @returns {Spot} */
    toScreen(spot) {
      const world = 512 * 2 ** map.getZoom();
      const { x, y } = project();
      const { cos, sin } = turn();
      const [dx, dy] = [(spot.x - origin.x) * world, (spot.y - origin.y) * world];
      return { x: x + dx * cos - dy * sin, y: y + dx * sin + dy * cos };
    },
    /** The spot at a pixel, and how many pixels the world has. @param {Spot} pixel @returns {{ spot: Spot, world: number }} */
    fromScreen(pixel) {
      const world = 512 * 2 ** map.getZoom();
      const { x, y } = project();
      const { cos, sin } = turn();
      const [dx, dy] = [(pixel.x - x) / world, (pixel.y - y) / world];
      return {
        spot: { x: origin.x + dx * cos + dy * sin, y: origin.y + dy * cos - dx * sin },
        world,
      };
    },
    /** @param {Moment} moment */
    draw({ share, size }) {
      loadSprites(gl, parts.texture, sprites.takeFresh());
      // Of the canvas, since asking the page for its layout would make the frame wait for it.
      const ratio = map.getPixelRatio();
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      if (count === 0) return;
      const { uniforms } = parts;
      const { x, y } = project();
      const { cos, sin } = turn();
      gl.useProgram(parts.program);
      gl.bindVertexArray(parts.array);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, parts.texture);
      gl.uniform1i(uniforms["sheetOf"] ?? null, 0);
      gl.uniform2f(uniforms["origin"] ?? null, x, y);
      gl.uniform2f(uniforms["view"] ?? null, canvas.width / ratio, canvas.height / ratio);
      gl.uniform2f(uniforms["turn"] ?? null, cos, sin);
      gl.uniform1f(uniforms["scale"] ?? null, 512 * 2 ** map.getZoom());
      gl.uniform1f(uniforms["share"] ?? null, share);
      gl.uniform1f(uniforms["side"] ?? null, sprites.side);
      gl.uniform1f(uniforms["sheet"] ?? null, sprites.sheet);
      gl.uniform1f(uniforms["cellpx"] ?? null, CELL * size);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      gl.bindVertexArray(null);
    },
  };
}

/** @param {WebGL2RenderingContext} gl @param {number} sheet */
function build(gl, sheet) {
  const program = compile(gl);
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  const square = new Float32Array([-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
  gl.bufferData(gl.ARRAY_BUFFER, square, gl.STATIC_DRAW);
  const instances = gl.createBuffer();
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const corner = { buffer: corners, stride: 8, offset: 0, each: 0 };
  attribute(gl, program, { ...corner, name: "corner", size: 2 });
  let offset = 0;
  for (const [name, size] of /** @type {const} */ ([
    ["way", 4],
    ["cell", 2],
    ["look", 3],
    ["aside", 2],
  ])) {
    const stride = PER_SPRITE * 4;
    attribute(gl, program, { name, size, buffer: instances, stride, offset, each: 1 });
    offset += size * 4;
  }
  gl.bindVertexArray(null);
  const names = ["origin", "view", "turn", "scale", "share", "side", "sheet", "cellpx", "sheetOf"];
  const uniforms = Object.fromEntries(
    names.map((name) => [name, gl.getUniformLocation(program, name)]),
  );
  return { program, instances, array, uniforms, texture: createSheet(gl, sheet) };
}

/** @param {WebGL2RenderingContext} gl */
function compile(gl) {
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
  return program;
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
