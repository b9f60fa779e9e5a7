import { expect, test } from "vitest";
import { forwardedMeta } from "../../../../runtime/src/gateway/forward/forwarded-meta.js";
import type { Meta } from "../../../../runtime/src/jsonrpc/message-types.js";

test("a member __proto__ of a client's metadata does not become the prototype of that for the server", () => {
  const hostile = JSON.parse('{"__proto__":{"progressToken":"of another request"},"com.example/kept":1}') as Meta;
  const passed = forwardedMeta(hostile, "gateway");
  expect(Object.getPrototypeOf(passed)).toBe(Object.prototype);
  expect(passed["progressToken"]).toBeUndefined();
  expect(passed["com.example/kept"]).toBe(1);
});
