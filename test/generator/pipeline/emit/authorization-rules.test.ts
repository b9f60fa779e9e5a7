import { expect, test } from "vitest";
import { emitAuthorization } from "../../../../generator/pipeline/emit/authorization-rules.js";
import type { OverlayFile } from "../../../../generator/shared/model/overlay.js";
import { authorizationFields } from "../../../../generator/shared/model/authorization.js";
import { build, ping, pingMethods, spec } from "../passes/build.js";

const complete: OverlayFile["authorization"] = Object.fromEntries(
  authorizationFields.map(({ name, type }) => [
    name,
    { value: type === "boolean" ? true : "list" in type ? [] : null, spec },
  ]),
);

function rowsOf(own: OverlayFile, older?: OverlayFile): readonly object[] {
  return emitAuthorization([build(ping, { own: { methods: pingMethods, ...own }, ...(older && { older }) }).model])
    .rows;
}

test("a revision that states every field has a row", () => {
  expect(rowsOf({ authorization: complete })).toMatchObject([{ revision: '"r2"' }]);
});

test("a revision inherits the fields of the older one", () => {
  const issuerParameter = { value: false, spec };
  expect(rowsOf({ authorization: { issuerParameter } }, { authorization: complete })).toMatchObject([
    { fields: expect.arrayContaining([expect.stringContaining("issuerParameter: false,")]) as string[] },
  ]);
});

test("a revision without authorization has no row", () => expect(rowsOf({})).toEqual([]));

test("a revision that leaves a field out has no row, so that each row is complete", () => {
  const { issuerParameter: _left, ...rest } = complete;
  expect(rowsOf({ authorization: rest })).toEqual([]);
});
