import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { placeSchemaFiles } from "../../../../generator/commands/vendor/place-schema-files.js";
import { vendor } from "../../../../generator/commands/vendor/vendor.js";
import { realDisk, type Disk } from "../../../../generator/shared/files/disk.js";
import { errno, fullDisk, diskFailingOnce, watchedDisk } from "../../shared/files/broken-disk.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { unseen, unseenText } from "./upstream.js";

const differences = [
  { path: "r1/schema.ts", kind: "added", after: "new" },
  { path: "pins.json", kind: "changed", after: "{ new }" },
] as const;
const nobody = (): void => undefined;

function folderWithPins(): string {
  const folder = join(sandbox(), "schema");
  put(folder, { "pins.json": "{ old }", "r0/schema.ts": "old" });
  return folder;
}

const placeInto = (folder: string, disk: Disk) => placeSchemaFiles(folder, () => differences, disk, nobody);

test("keeps what was placed, and nothing else", async () => {
  const folder = folderWithPins();
  (await placeInto(folder, realDisk)).keep();
  expect(treeOf(folder)).toEqual({ "pins.json": "{ new }", "r0/schema.ts": "old", "r1/schema.ts": "new" });
});

test.each([true, false])("takes back what was placed: folder there before %s", async (there) => {
  const folder = there ? folderWithPins() : join(sandbox(), "a/schema");
  const before = treeOf(join(folder, there ? "." : "../.."));
  const added = [{ path: "r1/schema.ts", kind: "added", after: "new" }] as const;
  const placed = await placeSchemaFiles(folder, () => (there ? differences : added), realDisk, nobody);
  expect(treeOf(folder)).toMatchObject({ "r1/schema.ts": "new" });
  placed.takeBack();
  expect(treeOf(join(folder, there ? "." : "../.."))).toEqual(before);
});

describe("a disk that fails leaves what was there", () => {
  test.each(Array.from({ length: 6 }, (_, index) => index + 1))("full from call %i on", async (from) => {
    const folder = folderWithPins();
    const before = treeOf(folder);
    expect(await refusal(folder, placeInto(folder, fullDisk(from)))).toEqual([expect.stringMatching(/^output-not-writable: .*ENOSPC/)]); // prettier-ignore
    expect(treeOf(folder)).toEqual(before);
  });

  test.each(Array.from({ length: 8 }, (_, index) => index + 1))("failing at call %i", async (at) => {
    const folder = folderWithPins();
    const before = treeOf(folder);
    expect(await refusal(folder, placeInto(folder, diskFailingOnce(at)))).toEqual([expect.stringMatching(/^output-not-writable: .*EIO/)]); // prettier-ignore
    expect(treeOf(folder)).toEqual(before);
  });

  test("and says so where it could not be put back", async () => {
    const folder = folderWithPins();
    let broken = false;
    const disk = watchedDisk(["rename"], (_, __, path) => {
      if (broken) throw errno("EIO", path);
    });
    const placed = await placeInto(folder, disk);
    broken = true;
    expect(() => placed.takeBack()).toThrow("output-half-written");
    const kept = Object.entries(treeOf(folder)).filter(([path]) => path.startsWith(".mcpwright-"));
    expect(kept.map(([, text]) => text)).toContain("{ old }");
  });
});

test("a read-only schema folder is refused, and nothing is generated", async () => {
  const folder = sandbox();
  put(folder, { "from/schema.ts": unseenText });
  const before = treeOf(folder);
  const readOnly = watchedDisk(["makeFolder", "write", "rename"], (_, __, path) => {
    throw errno("EACCES", path);
  });
  const from = join(folder, "from/schema.ts");
  const run = vendor({ revision: unseen, from, to: join(folder, "schema"), out: join(folder, "out") }, readOnly);
  expect(await refusal(folder, run)).toEqual([
    "output-not-writable: cannot write OUT/schema: EACCES: permission denied",
  ]);
  expect(treeOf(folder)).toEqual(before);
});
