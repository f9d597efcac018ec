/// What the site shows.
struct Film: Identifiable, Equatable {
    let id: Int
    let file, title, channel, about, words: String

    static let all = [
        Film(
            id: 0, file: "demo", title: "Hills at dusk, one hour in one minute", channel: "Slow Places",
            about: "184 K views · 2 days ago",
            words:
                "No cuts, no commentary. The camera stood on the same stone all evening; what moves is the land, as it seems to when the light goes."
        ),
        Film(
            id: 1, file: "wide-2", title: "The sea, seen from the pier", channel: "Slow Places",
            about: "92 K views · 1 week ago",
            words: "Half a minute of swell and the sun’s path on it, which always leads to whoever looks."),
        Film(
            id: 2, file: "wide-3", title: "Northern lights above a still lake", channel: "Night Sky Diary",
            about: "1.2 M views · 3 years ago",
            words: "The curtain hung for ten minutes and came back twice. The green is oxygen, a hundred kilometres up."
        ),
        Film(
            id: 3, file: "wide-4", title: "A stone, a pond, and what follows", channel: "Physics at Home",
            about: "310 K views · 8 months ago",
            words: "Rings of one wavelength: count how many pass a reed in a second, and you know how fast they run."),
        Film(
            id: 4, file: "wide-5", title: "Embers: ten hours for cold evenings", channel: "Fireside",
            about: "5.4 M views · 4 years ago",
            words: "Leave it on. Nobody will notice that the ten hours are half a minute."),
        Film(
            id: 5, file: "wide-6", title: "How silk moves", channel: "Loom & Thread", about: "48 K views · 5 days ago",
            words: "A scarf in the draught of an open window, at its own speed."),
    ]
}
