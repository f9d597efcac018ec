/// A video of the site.
struct Film: Identifiable, Equatable {
    let id: Int
    let file, title, channel, about, summary: String

    static let all = [
        Film(
            id: 0, file: "demo", title: "Hills at dusk, one hour in one minute", channel: "Slow Places",
            about: "184K views · 2 days ago",
            summary:
                "No cuts, no commentary. The camera stood on the same stone all evening while the light changed."
        ),
        Film(
            id: 1, file: "wide-2", title: "The sea, seen from the pier", channel: "Slow Places",
            about: "92K views · 1 week ago",
            summary: "Half a minute of waves, with the low sun on the water."),
        Film(
            id: 2, file: "wide-3", title: "Northern lights above a still lake", channel: "Night Sky Diary",
            about: "1.2M views · 3 years ago",
            summary:
                "The curtain hung for ten minutes and came back twice. The green is oxygen, a hundred kilometers up."
        ),
        Film(
            id: 3, file: "wide-4", title: "A stone, a pond and the waves", channel: "Physics at Home",
            about: "310K views · 8 months ago",
            summary: "Count how many rings pass a reed in a second, and you can work out their speed."),
        Film(
            id: 4, file: "wide-5", title: "Embers: ten hours for cold evenings", channel: "Fireside",
            about: "5.4M views · 4 years ago",
            summary: "Leave it on. Nobody will notice that the ten hours are half a minute."),
        Film(
            id: 5, file: "wide-6", title: "How silk moves", channel: "Loom & Thread", about: "48K views · 5 days ago",
            summary: "A scarf in the breeze from an open window, at its own pace."),
    ]
}
