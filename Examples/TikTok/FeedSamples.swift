import ExampleKit

extension FeedFilm {
    static let samples: [FeedFilm] = (0..<30).map { number in
        let (author, text) = captions[number % captions.count]
        return FeedFilm(
            url: ExampleMedia.url("feed-\(number % 6 + 1)"), author: author, text: text,
            likes: 1200 + number * 731 % 9000, comments: 20 + number * 37 % 400)
    }
    private static let captions = [
        ("@slow.places", "Dusk over the hills, and no one is in a hurry."),
        ("@pier.watch", "The sea at half past nine. Sound on."),
        ("@night.sky.diary", "Ten minutes of northern lights."),
        ("@physics.at.home", "One stone. Wait for it."),
        ("@fireside", "Ten seconds of warmth for your timeline."),
        ("@loom.and.thread", "Silk in slow motion is the best thing today."),
    ]
}
