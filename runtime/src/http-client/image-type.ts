/** The types of images that are detected. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/svg+xml";

const signatures: readonly (readonly [RegExp, ImageType])[] = [
  [/^\x89PNG\r\n[^]\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[^]{4}WEBP/, "image/webp"],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>/]/i,
    "image/svg+xml",
  ],
];

/** Detects the type of an image by its first bytes, of which it needs 1,024. Returns undefined for other data. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
  // One character per byte.
  const start = String.fromCharCode(...bytes);
  return signatures.find(([signature]) => signature.test(start))?.[1];
}
