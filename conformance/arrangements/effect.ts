/** What a check does to the target. All but reading and creating wants permission. */
export type Effect = "reads" | "creates" | "spends" | "sends" | "exhausts";
