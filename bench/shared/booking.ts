/** The tool of every server: five input members and an asynchronous handler, as in all the READMEs. */
import { z } from "zod";

export const info = { name: "bench", version: "1.0.0" };
export const description = "Books a room in a city for some nights and says what it costs";

export const inputSchema = z.object({
  city: z.string(),
  nights: z.number(),
  price: z.number(),
  breakfast: z.boolean(),
  guests: z.array(z.string()),
});

export type Booking = z.infer<typeof inputSchema>;

export function priceOf({ city, nights, price, breakfast, guests }: Booking): string {
  return `${city}: ${nights * (price + (breakfast ? 10 : 0)) * guests.length}`;
}
