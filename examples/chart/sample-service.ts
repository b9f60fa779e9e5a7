/** Serves a sample forecast for 38.58, -121.49 on a free port, and prints its URL: for demonstrations without a network. */
import { port } from "../verify/everywhere.js";
import { period, weatherService } from "../verify/weather-service.js";

const service = weatherService({
  "/points/38.5800,-121.4900": { properties: { forecast: "{origin}/forecast" } },
  "/forecast": {
    properties: {
      periods: [
        period("Monday", 71, "Sunny"),
        period("Tuesday", 74, "Sunny"),
        period("Wednesday", 79, "Hot"),
        period("Thursday", 76, "Clear"),
        period("Friday", 68, "Cloudy"),
        period("Saturday", 63, "Showers"),
        period("Sunday", 66, "Partly sunny"),
      ],
    },
  },
});
console.log(`http://127.0.0.1:${await port(service)}`);
