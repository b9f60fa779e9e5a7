import { expect, test } from "vitest";
import { openMembers } from "../../../../generator/pipeline/emit/open-members.js";
import { build, ping } from "../passes/build.js";

test("lists of any values are open too", () => {
  const { model } = build(ping.replace("PingResult {}", "PingResult { rows: unknown[]; names: string[] }"));
  expect(openMembers(model)).toEqual({ rows: false });
});

test.each([
  ["DRAFT-2026-v1", true],
  ["overdraft-api", false],
])("%s is a draft: %s", (id, isDraft) => {
  const { findings } = build(`${ping} const LATEST_PROTOCOL_VERSION = "${id}";`);
  expect(findings.some((finding) => finding.includes("draft-revision"))).toBe(isDraft);
});
