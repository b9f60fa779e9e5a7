import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Manifest } from "./manifest.js";
import { outputOf, type Run } from "./run.js";

/** A package that was packed and looked at. */
export interface Packed {
  readonly manifest: Manifest;
  readonly tarball: string;
}

/**
 * Publishes the very tarballs that were looked at, one after the other. A run that broke off is carried on: what the registry
 * has already is left alone when it is the same.
 * @throws Error when npm fails, or the registry has something else under that version; nothing further is published
 */
export function publish(packages: readonly Packed[], run: Run, say: (line: string) => void): void {
  const wanted = packages.map((one) => ({ ...one, isThere: isPublished(one, run) }));
  for (const { manifest, tarball, isThere } of wanted) {
    const { name, version } = manifest;
    if (isThere) {
      say(`${name} ${version} is there already`);
      continue;
    }
    // A version to try out is not what `npm install` takes by itself.
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
      `${name} ${version} is published already, with something else in it (${answer}): release another version`,
    );
  return true;
}
