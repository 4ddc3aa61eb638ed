/** Colours that are on the screen. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Of the way on foot, on the light map. */
export const WAY = [0x1b, 0x50, 0xc8] as const;

/** Counts the pixels of a colour in what is seen. */
export async function countPixels(
  page: Page,
  color: readonly [number, number, number],
): Promise<number> {
  const picture = (await page.screenshot()).toString("base64");
  return page.evaluate(
    async ({ text, wanted }) => {
      const bytes = Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0);
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let n = 0; n < data.length; n += 4)
        if (wanted.every((part, at) => Math.abs(part - data[n + at]!) <= 3)) count += 1;
      return count;
    },
    { text: picture, wanted: color },
  );
}

/** Waits until there are as many as it takes. */
export async function untilPixels(
  page: Page,
  color: readonly [number, number, number],
  is: (count: number) => boolean,
): Promise<void> {
  let count = -1;
  for (let n = 0; n < 60; n += 1) {
    count = await countPixels(page, color);
    if (is(count)) return;
    await page.waitForTimeout(200);
  }
  assert.fail(`${count} pixels of ${color.join()}`);
}
