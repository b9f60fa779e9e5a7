import { digestsByName } from "../../shared/fidelity/digest.js";
import { contentHash } from "../../shared/files/content-hash.js";
import { isObject } from "../../shared/is-object.js";
import type { SourceModule } from "../../shared/model/source.js";
import { definitionDigests, describeDifference } from "./vendor-pin.js";

/** The content of an extension's schema when it was vendored. */
export interface VendoredExtensionPin {
  /** URL of the file; absent for a file of this machine. */
  readonly source?: string;
  /** sha256 of the file with LF line ends. */
  readonly "schema.ts"?: string;
  /** sha256 of the file with LF line ends. */
  readonly "schema.json"?: string;
  /** Digests of the definitions by name, without prose. */
  readonly definitions: Readonly<Record<string, { readonly ts: string } | { readonly json: string }>>;
}

/** `extensions/pins.json` of a schema folder, by `<name>/<version>`. */
export type VendoredExtensionPins = Readonly<Record<string, VendoredExtensionPin>>;

export function extensionPinOf(text: string, module: SourceModule, source: string | undefined): VendoredExtensionPin {
  const isJson = module.syntax === "json-schema";
  return {
    ...(source !== undefined && { source }),
    [isJson ? "schema.json" : "schema.ts"]: contentHash(text),
    definitions: Object.fromEntries(
      Object.entries(digestsByName(module)).map(([name, digest]) => [name, isJson ? { json: digest } : { ts: digest }]),
    ),
  };
}

/** The sha256 of the file. */
export function sha256Of(pin: VendoredExtensionPin): string {
  return pin["schema.ts"] ?? pin["schema.json"] ?? "";
}

/** Describes how a file differs from its pin; undefined for the pinned file. */
export function extensionPinDifference(pinned: VendoredExtensionPin, found: VendoredExtensionPin): string | undefined {
  const [before, after] = [pinned, found].map(({ definitions }) => definitionDigests(definitions));
  return describeDifference(before ?? {}, after ?? {}, sha256Of(pinned) === sha256Of(found));
}

export function isExtensionPin(value: unknown): value is VendoredExtensionPin {
  if (!isObject(value)) return false;
  const { source, "schema.ts": ts, "schema.json": json, definitions } = value;
  return (
    [source, ts, json].every((text) => text === undefined || typeof text === "string") &&
    (ts ?? json) !== undefined &&
    isObject(definitions) &&
    Object.values(definitions).every((pin) => isObject(pin) && typeof (pin["ts"] ?? pin["json"]) === "string")
  );
}
