import { join } from "node:path";
import { modulesFolder } from "../interop/paths.js";
import { run } from "./command.js";

export interface UnpackedBundle {
  readonly bytes: number;
  readonly unpacked: string;
}

/** Makes a bundle of a project, unpacks it into a new folder with the official tool, and has that tool validate the manifest. */
export async function bundleProject(
  cli: string,
  folder: string,
  unpacked: string,
  patienceMs: number,
): Promise<UnpackedBundle> {
  const official = join(modulesFolder, "@anthropic-ai/mcpb/dist/cli/cli.js");
  const mcpb = (...args: readonly string[]) => run([process.execPath, official, ...args], { cwd: folder, patienceMs });
  const { out } = await run([cli, "bundle", "--json"], { cwd: folder, patienceMs });
  const { path, bytes } = JSON.parse(out) as { readonly path: string; readonly bytes: number };
  await mcpb("unpack", path, unpacked);
  await mcpb("validate", join(unpacked, "manifest.json"));
  return { bytes, unpacked };
}
