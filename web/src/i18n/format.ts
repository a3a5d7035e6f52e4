// Numbers that only some pages show.
import { current, number } from "./index";

export const money = (value: number) =>
  new Intl.NumberFormat(current(), { style: "currency", currency: "USD", maximumFractionDigits: 4 }).format(value);

export const bytes = (value: number) =>
  value < 1024
    ? `${number(value)} B`
    : `${new Intl.NumberFormat(current(), { maximumFractionDigits: 1 }).format(value / 1024)} KiB`;
