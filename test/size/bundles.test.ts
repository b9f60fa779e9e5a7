import { expect, test } from "vitest";
import { bundleSize } from "../../scripts/size/bundle.js";
import { programs } from "../../scripts/size/programs.js";
import { root } from "../../scripts/size/source.js";

test.each(Object.values(programs))("$name: at most $most bytes, gzipped", async ({ text, most }) => {
  const { gzipped } = await bundleSize(text, root);
  expect(gzipped).toBeGreaterThan(10_000);
  expect(gzipped).toBeLessThanOrEqual(most);
});
