/// What the site shows.
struct Film: Identifiable, Equatable {
    let id: Int
    let file, title, channel, about: String

    static let all = [
        Film(id: 0, file: "demo", title: "Hills at dusk, one hour in one minute", channel: "Slow Places", about: "184 K views · 2 days ago"),
        Film(id: 1, file: "wide-2", title: "The sea, seen from the pier", channel: "Slow Places", about: "92 K views · 1 week ago"),
        Film(id: 2, file: "wide-3", title: "Northern lights above a still lake", channel: "Night Sky Diary", about: "1.2 M views · 3 years ago"),
        Film(id: 3, file: "wide-4", title: "A stone, a pond, and what follows", channel: "Physics at Home", about: "310 K views · 8 months ago"),
        Film(id: 4, file: "wide-5", title: "Embers: ten hours for cold evenings", channel: "Fireside", about: "5.4 M views · 4 years ago"),
        Film(id: 5, file: "wide-6", title: "How silk moves", channel: "Loom & Thread", about: "48 K views · 5 days ago"),
    ]
}
