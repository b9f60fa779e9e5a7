import { describe, expect, test } from "vitest";
import { replaceMeta, withMeta } from "../../../runtime/src/jsonrpc/create-message.js";

const hostile = JSON.parse('{"__proto__":{"requestState":"x"},"name":"add","_meta":{"__proto__":{"a":1},"b":2}}') as {
  readonly _meta: object;
};

describe.each([
  ["replaceMeta", replaceMeta, '{"c":3}'],
  ["withMeta", withMeta, '{"__proto__":{"a":1},"b":2,"c":3}'],
])("%s", (_name, change, meta) => {
  test("returns a copy with the metadata", () => {
    const params = { name: "add", _meta: { b: 2 } };
    expect(change(params, { c: 3 })).toEqual({ name: "add", _meta: expect.objectContaining({ c: 3 }) as object });
    expect(params).toEqual({ name: "add", _meta: { b: 2 } });
    expect(change(undefined, { c: 3 })).toEqual({ _meta: { c: 3 } });
  });

  test("copies a member __proto__ as a member", () => {
    const copy = change(hostile, { c: 3 }) as { readonly _meta: object };
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.hasOwn(copy, "__proto__")).toBe(true);
    expect(JSON.stringify(copy._meta)).toBe(meta);
  });
});
