export * from "../../shared/booking.js";

/** One tool, or as many as the first argument says. */
export function toolNames(): readonly string[] {
  return Array.from({ length: Number(process.argv[2] ?? 1) }, (_, index) => (index === 0 ? "book" : `book-${index}`));
}
