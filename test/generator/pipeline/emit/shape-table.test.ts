import { expect, test } from "vitest";
import { shapeTable } from "../../../../generator/pipeline/emit/shape-table.js";
import { build, ping, pingMethods } from "../passes/build.js";

test("a cycle of two thousand types has a row for each", () => {
  const size = 2_000;
  const types = Array.from(
    { length: size },
    (_, at) => `interface T${at} { next?: T${(at + 1) % size}; t${at}: string }`,
  );
  const table = shapeTable([build(`${ping} ${types.join(" ")}`, { own: { methods: pingMethods } }).model]);
  for (let at = 0; at < size; at++) {
    const row = table.rows[table.index("r2", `T${at}`)];
    expect(row?.slice(0, 4)).toEqual(["T", -1, 1, `t${at}`]);
    expect(row?.slice(5)).toEqual(["next", table.index("r2", `T${(at + 1) % size}`)]);
  }
});
