import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "../../../shared/errors.js";
import { digestOf, messageOf, textOf } from "./content.js";
import { pageOf } from "./list-page.js";
import type { OnWarning, SkillFiles, SkillReadResult, SkillSource } from "./options.js";
import type { Snapshot } from "./snapshot.js";
import { normalUri } from "./uris.js";

/** What a catalog serves, and from where. */
export interface CatalogState {
  current: Snapshot;
  readonly files: SkillFiles;
  readonly pageSize: number;
  readonly onWarning: OnWarning;
}

/** Serves the skills that are loaded. Files are read when they are requested, and must be as they were. */
export class CatalogSource implements SkillSource {
  constructor(readonly state: CatalogState) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- invalid cursors reject
  async list({ cursor }: { cursor?: string }): ReturnType<SkillSource["list"]> {
    const { items, ...next } = pageOf(this.state.current.skills, cursor, this.state.pageSize);
    return { skills: items, ...next };
  }

  get(uri: string): ReturnType<SkillSource["get"]> {
    const wanted = normalUri(uri);
    return Promise.resolve(this.state.current.skills.find((skill) => skill.uri === wanted));
  }

  async read(uri: string): Promise<SkillReadResult | undefined> {
    const { current, files, onWarning } = this.state;
    const wanted = normalUri(uri) ?? uri;
    const file = current.files.get(wanted);
    if (!file) {
      if (!current.directories.has(wanted)) return undefined;
      throw new ResourceNotFoundError(uri, `${uri} is a directory; use resources/directory/read`);
    }
    const { path, size, digest, mimeType } = file;
    let bytes: Uint8Array;
    try {
      bytes = await files.read(path);
    } catch (error) {
      onWarning({ path, message: `cannot be read: ${messageOf(error)}` });
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${uri} could not be read`);
    }
    if (bytes.length !== size || (await digestOf(bytes)) !== digest) {
      onWarning({ path, message: "has changed since the skills were loaded; call reload()" });
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${uri} changed since the skills catalog was loaded`);
    }
    const text = textOf(bytes);
    return text === undefined ? { bytes, mimeType } : { text, mimeType };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- invalid cursors reject
  async readDirectory(
    uri: string,
    { cursor }: { cursor?: string },
  ): ReturnType<Required<SkillSource>["readDirectory"]> {
    const children = this.state.current.directories.get(normalUri(uri) ?? uri);
    if (!children) return undefined;
    const { items, ...next } = pageOf(children, cursor, this.state.pageSize);
    return { resources: items, ...next };
  }

  listResources(): ReturnType<Required<SkillSource>["listResources"]> {
    return Promise.resolve([...this.state.current.resources]);
  }
}
