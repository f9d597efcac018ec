/// The keys of a player and the command of each, in the order in which a table of shortcuts lists them.
///
/// A map is a value. Change a copy of a preset and give it to the view or window that has the keyboard:
///
/// ```swift
/// var keys = KeyMap.videoPlayer
/// keys[PlayerKey("n")] = .seek(30)
/// keys[PlayerKey("m")] = nil
/// ```
public struct KeyMap<Command: Equatable & Sendable>: Sendable, Equatable {
    /// A command and its keys.
    public struct Binding: Sendable {
        /// The keys that send the command, the usual one first.
        public internal(set) var keys: [PlayerKey]
        /// The command.
        public let command: Command
        /// The description of the command, in English.
        ///
        /// Empty if the binding shares the title of the binding before it, as opposite commands do
        /// (“Seek −5 s / +5 s”).
        public let title: String

        /// Creates a binding of a command, its description in English, and its keys.
        public init(_ command: Command, _ title: String, _ keys: PlayerKey...) {
            (self.command, self.title, self.keys) = (command, title, keys)
        }
        /// Returns the same binding for another type of command.
        package func map<Other>(_ transform: (Command) -> Other) -> KeyMap<Other>.Binding {
            KeyMap<Other>.Binding(keys: keys, command: transform(command), title: title)
        }
        init(keys: [PlayerKey], command: Command, title: String) {
            (self.keys, self.command, self.title) = (keys, command, title)
        }
        /// Creates a binding that shares the title of the binding before it.
        public init(and command: Command, _ keys: PlayerKey...) {
            (self.command, title, self.keys) = (command, "", keys)
        }
    }
    /// Bindings under a heading.
    ///
    /// A map with the keys of an app:
    /// ```swift
    /// let keys = KeyMap<PlaybackAction>([
    ///     .init("Playback", [
    ///         .init(.playPause, "Play or pause", .space),
    ///         .init(.seek(-5), "Seek −5 s / +5 s", .leftArrow), .init(and: .seek(5), .rightArrow),
    ///     ])
    /// ])
    /// ```
    public struct Section: Sendable {
        /// The heading, in English.
        public let title: String
        /// The bindings. The first one has a title of its own.
        public internal(set) var bindings: [Binding]
        /// Creates a section.
        public init(_ title: String, _ bindings: [Binding]) { (self.title, self.bindings) = (title, bindings) }
    }

    /// The sections, in order.
    public private(set) var sections: [Section]
    private var commands: [PlayerKey: Command]

    /// Creates a map. If two bindings contain the same key, only the later binding keeps it.
    public init(_ sections: [Section]) {
        var (sections, commands) = (sections, [PlayerKey: Command]())
        for section in sections.indices.reversed() {
            for binding in sections[section].bindings.indices.reversed() {
                let command = sections[section].bindings[binding].command
                sections[section].bindings[binding].keys.removeAll { key in
                    if commands[key] != nil { return true }
                    commands[key] = command
                    return false
                }
            }
        }
        (self.sections, self.commands) = (sections, commands)
    }

    /// Returns whether the same keys send the same commands. The order and the titles are ignored.
    public static func == (a: KeyMap, b: KeyMap) -> Bool { a.commands == b.commands }

    /// All bindings, in order.
    public var bindings: [Binding] { sections.flatMap(\.bindings) }

    /// The command of a key; nil if the key has none.
    ///
    /// Setting a command moves the key to that command, and setting nil removes the key. If no binding has the command,
    /// the key works but no section lists it.
    public subscript(key: PlayerKey) -> Command? {
        get { commands[key] }
        set {
            commands[key] = newValue
            for section in sections.indices {
                for binding in sections[section].bindings.indices {
                    sections[section].bindings[binding].keys.removeAll { $0 == key }
                }
            }
            guard let newValue else { return }
            for section in sections.indices {
                if let binding = sections[section].bindings.firstIndex(where: { $0.command == newValue }) {
                    sections[section].bindings[binding].keys.append(key)
                    return
                }
            }
        }
    }

    /// Returns the keys of a command, the usual one first; none if the command has no keys.
    ///
    /// ```swift
    /// let shortcut = KeyMap.videoPlayer.keys(for: .toggleFullScreen).first?.name ?? ""
    /// ```
    public func keys(for command: Command) -> [PlayerKey] {
        let listed = bindings.filter { $0.command == command }.flatMap(\.keys)
        return listed
            + commands.filter { $0.value == command && !listed.contains($0.key) }.keys.sorted { $0.symbol < $1.symbol }
    }

    /// Removes all keys, together with the sections and their titles.
    public mutating func removeAll() {
        (sections, commands) = ([], [:])
    }
}

extension KeyMap<PlaybackAction> {
    /// The keys of AVKit's views, such as `VideoPlayer`: J, K and L as in editing programs.
    public static var videoPlayer: KeyMap { Presets.videoPlayer }
    /// The keys of a player container (`VideoPlayerContainer`): Space, arrows, M, F, Escape and the digits.
    public static var container: KeyMap { Presets.container }
    /// The keys of a plain player window, which are those of mpv. The `zoetrope` program adds its own commands to them.
    public static var window: KeyMap { Presets.window }
}

/// The tables of the presets. They are here because a generic type can't store static properties.
package enum Presets {
    package typealias Section = KeyMap<PlaybackAction>.Section
    package typealias Binding = KeyMap<PlaybackAction>.Binding

    static let videoPlayer = KeyMap([
        Section(
            "Playback",
            [
                Binding(.playPause, "Play / pause", PlayerKey("k")),
                Binding(.seek(-5), "Seek −5 s / +5 s", .leftArrow), Binding(and: .seek(5), .rightArrow),
                Binding(.seek(-10), "Seek −10 s / +10 s", PlayerKey("j")), Binding(and: .seek(10), PlayerKey("l")),
                Binding(.volume(0.05), "Volume +5% / −5%", .upArrow), Binding(and: .volume(-0.05), .downArrow),
                Binding(.mute, "Toggle mute", PlayerKey("m")),
                Binding(.toggleSubtitles, "Show or hide subtitles", PlayerKey("c")),
                Binding(.toggleFullScreen, "Toggle full screen", PlayerKey("f")),
            ])
    ])

    static let container = KeyMap([
        Section(
            "Playback",
            [
                Binding(.playPause, "Play / pause", .space),
                Binding(.seek(-5), "Seek −5 s / +5 s", .leftArrow), Binding(and: .seek(5), .rightArrow),
                Binding(.volume(0.05), "Volume +5% / −5%", .upArrow), Binding(and: .volume(-0.05), .downArrow),
                Binding(.mute, "Toggle mute", PlayerKey("m")),
                Binding(.toggleFullScreen, "Toggle full screen", PlayerKey("f")),
                Binding(.exitFullScreen, "Exit full screen", .escape),
                Binding(.jump(0), "Go to 0% … 90%", PlayerKey("0")),
            ] + (1...9).map { Binding(and: .jump(Double($0) / 10), PlayerKey(digit: $0)) })
    ])

    static let window = KeyMap([
        Section("Playback", playback),
        Section("Audio", audio),
        Section("Window", windows),
    ])

    package static let playback: [Binding] =
        [
            Binding(.playPause, "Play / pause", .space, PlayerKey("p")),
            Binding(.seek(-5), "Seek −5 s / +5 s", .leftArrow), Binding(and: .seek(5), .rightArrow),
            Binding(.seek(-1), "Seek −1 s / +1 s", PlayerKey(.leftArrow, shift: true)),
            Binding(and: .seek(1), PlayerKey(.rightArrow, shift: true)),
            Binding(.seek(-60), "Seek −1 min / +1 min", PlayerKey(.leftArrow, control: true)),
            Binding(and: .seek(60), PlayerKey(.rightArrow, control: true)),
            Binding(.step(-1), "Previous / next frame", PlayerKey(",")), Binding(and: .step(1), PlayerKey(".")),
            Binding(.start, "Go to the start / end", .home), Binding(and: .end, .end),
            Binding(.jump(0.1), "Go to 10% … 80%", PlayerKey("1")),
        ] + (2...8).map { Binding(and: .jump(Double($0) / 10), PlayerKey(digit: $0)) } + [
            Binding(.speed(-1), "Decrease / increase speed", PlayerKey("[")), Binding(and: .speed(1), PlayerKey("]")),
            Binding(.multiplySpeed(0.5), "Halve / double speed", PlayerKey("{")),
            Binding(and: .multiplySpeed(2), PlayerKey("}")),
            Binding(.speed(0), "Reset speed to normal", .backspace),
            Binding(.toggleLoop, "Toggle looping", PlayerKey("l"), PlayerKey("L")),
        ]
    package static let audio: [Binding] = [
        Binding(.volume(0.05), "Volume +5% / −5%", .upArrow, PlayerKey("0"), PlayerKey("*")),
        Binding(and: .volume(-0.05), .downArrow, PlayerKey("9"), PlayerKey("/")),
        Binding(.mute, "Toggle mute", PlayerKey("m")),
    ]
    package static let windows: [Binding] = [
        Binding(.toggleFullScreen, "Toggle full screen", PlayerKey("f"), .function(11)),
        Binding(.exitFullScreen, "Exit full screen", .escape),
        Binding(.close, "Close the window", PlayerKey("q"), PlayerKey("w", control: true)),
    ]
}

extension PlayerKey {
    fileprivate init(digit: Int) { self.init(symbol: 0x30 + UInt32(digit)) }
}
