import Foundation

/// The programs of which an audio server consists, in the order in which they start.
struct SoundPrograms {
    struct Program {
        /// The command line, which begins with the program.
        var line: [String]
        /// The socket that must accept connections before the next program starts; nil if the next program does not
        /// need it.
        var socket: URL?
        /// The file for the program's messages; nil to discard them.
        var log: URL?
    }
    var programs: [Program]
    var environment: [String: String]

    struct DidNotStart: Error { let line: [String] }

    func start() throws -> [ChildProcess] {
        try programs.map { program in
            if let socket = program.socket { try? FileManager.default.removeItem(at: socket) }
            let child = try ChildProcess(line: program.line, environment: environment, error: program.log?.path)
            guard let socket = program.socket else { return child }
            let isThere: Bool? = Deadline().poll(while: { child.exitCode == nil }) {
                LocalSocket.accepts(socket.path) ? true : nil
            }
            guard isThere == true else { throw DidNotStart(line: program.line) }
            return child
        }
    }

    /// Returns PulseAudio with a null sink.
    /// - Parameter isPrompt: Whether the null sink renders nothing ahead while it is idle.
    static func pulseAudio(in folder: URL, channels: Int, rate: Int, isPrompt: Bool) -> SoundPrograms {
        let sink =
            isPrompt
            ? "module-null-sink sink_name=test rate=\(rate) channels=\(channels) format=float32le norewinds=1"
            : "module-null-sink sink_name=test"
        return SoundPrograms(
            programs: [
                Program(line: [
                    "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                    "-L", "module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1", "-L", sink,
                ])
            ], environment: environment(in: folder))
    }

    /// Returns PipeWire, its session manager and its server for PulseAudio's protocol, as a desktop starts them. They
    /// run on a separate session bus and without the machine's devices.
    static func pipeWire(in folder: URL, channels: Int, rate: Int) throws -> SoundPrograms {
        try writePipeWireSettings(in: folder, channels: channels, rate: rate)
        var environment = environment(in: folder)
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder.path)/bus"
        // The level of the messages about clients that are too slow.
        environment["PIPEWIRE_DEBUG"] = "3"
        return SoundPrograms(
            programs: [
                Program(
                    line: [
                        "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
                        "--address=unix:path=\(folder.path)/bus",
                    ], socket: folder.appendingPathComponent("bus")),
                Program(line: ["pipewire"], socket: folder.appendingPathComponent("pipewire-0"), log: log(in: folder)),
                Program(line: ["wireplumber"]),
                Program(line: ["pipewire-pulse"]),
            ], environment: environment)
    }

    /// PipeWire's messages.
    static func log(in folder: URL) -> URL { folder.appendingPathComponent("pipewire.log") }

    /// Returns an environment without the variables of the user's desktop. PulseAudio refuses to start if its
    /// environment names a server.
    private static func environment(in folder: URL) -> [String: String] {
        let others = ["PULSE_", "PIPEWIRE_", "WIREPLUMBER_", "XDG_", "DBUS_", "DISPLAY", "WAYLAND_"]
        return ProcessInfo.processInfo.environment.filter { entry in !others.contains { entry.key.hasPrefix($0) } }
            .merging(["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]) { $1 }
    }

    private static func writePipeWireSettings(in folder: URL, channels: Int, rate: Int) throws {
        // Without names, the channels of a sink with more than two channels only have numbers.
        let names = [
            1: "mono", 2: "front-left,front-right",
            6: "front-left,front-right,front-center,lfe,rear-left,rear-right",
        ]
        let map = names[channels].map { " channel_map=\($0)" } ?? ""
        let files = [
            "pipewire/pipewire.conf.d": "context.properties = { default.clock.rate = \(rate) }",
            "pipewire/pipewire-pulse.conf.d": """
            pulse.properties = { server.address = [ "unix:\(folder.path)/native" ] }
            pulse.cmd = [ { cmd = "load-module" args = "module-null-sink sink_name=test rate=\(rate) \
            channels=\(channels)\(map) format=float32le" } ]
            """,
            // WirePlumber 0.4 reads the Lua files; 0.5 reads the last file.
            "wireplumber/main.lua.d": """
            alsa_monitor.enabled = false
            v4l2_monitor.enabled = false
            libcamera_monitor.enabled = false
            """,
            "wireplumber/bluetooth.lua.d": """
            bluez_monitor.enabled = false
            bluez_midi_monitor = { enabled = false }
            """,
            "wireplumber/wireplumber.conf.d": """
            wireplumber.profiles = {
              main = { hardware.audio = disabled, hardware.bluetooth = disabled, hardware.video-capture = disabled }
            }
            """,
        ]
        for (place, text) in files {
            let place = folder.appendingPathComponent(".config").appendingPathComponent(place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            // The number 51 sorts the file after the defaults, and before the file that applies them.
            let name = place.lastPathComponent.hasSuffix(".lua.d") ? "51-test.lua" : "test.conf"
            try text.write(to: place.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }
}
