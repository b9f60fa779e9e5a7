import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Manifest } from "./manifest.js";
import { outputOf, type Run } from "./run.js";

/** A package that was packed and checked. */
export interface Packed {
  readonly manifest: Manifest;
  readonly tarball: string;
}

/**
 * Publishes the checked tarballs, one after the other. It continues an interrupted run: a tarball that the registry already has
 * is skipped.
 * @throws Error when npm fails, or when the registry has a different tarball of that version; no further package is published
 */
export function publish(packages: readonly Packed[], run: Run, say: (line: string) => void): void {
  const wanted = packages.map((one) => ({ ...one, isThere: isPublished(one, run) }));
  for (const { manifest, tarball, isThere } of wanted) {
    const { name, version } = manifest;
    if (isThere) {
      say(`${name} ${version} is already published`);
      continue;
    }
    // `npm install` must not select a prerelease by default.
    const tag = version.includes("-") ? "next" : "latest";
    const ended = run("npm", [
      "publish",
      tarball,
      "--provenance",
      "--access",
      "public",
      "--tag",
      tag,
      "--ignore-scripts",
    ]);
    outputOf(ended, `npm publish of ${name}`);
    say(`${name} ${version} is published`);
  }
}

function isPublished({ manifest: { name, version }, tarball }: Packed, run: Run): boolean {
  const ended = run("npm", ["view", `${name}@${version}`, "dist.integrity", "--json"]);
  if (ended.code !== 0 && /\bE404\b/.test(`${ended.stdout}${ended.stderr}`)) return false;
  const answer = outputOf(ended, `npm view of ${name}`).trim();
  if (answer === "") return false;
  const ours = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (answer !== JSON.stringify(ours))
    throw new Error(
      `${name} ${version} is already published with different content (${answer}): release another version`,
    );
  return true;
}
