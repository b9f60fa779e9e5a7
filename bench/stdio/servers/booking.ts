export * from "../../shared/booking.js";

/** Names of the tools. The first argument is their number; default: `1`. */
export function toolNames(): readonly string[] {
  return Array.from({ length: Number(process.argv[2] ?? 1) }, (_, index) => (index === 0 ? "book" : `book-${index}`));
}
