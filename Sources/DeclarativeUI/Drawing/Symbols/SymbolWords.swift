/// What symbols are called that mean something else than their names say.
let symbolWords: [String: String] = [
    // Playing
    "playpause": "play or pause", "forward": "fast forward", "backward": "rewind", "forward.end": "next", "backward.end": "previous",
    "forward.end.alt": "skip to the end", "backward.end.alt": "skip to the beginning", "forward.frame": "next frame", "backward.frame": "previous frame",
    "goforward": "skip forward", "gobackward": "skip back", "repeat.1": "repeat one", "infinity": "autoplay", "hare": "faster", "tortoise": "slower",
    // Sound
    "speaker": "sound", "speaker.wave.1": "sound", "speaker.wave.2": "sound", "speaker.wave.3": "sound", "speaker.slash": "sound off",
    "speaker.plus": "louder", "speaker.minus": "quieter", "speaker.zzz": "quiet", "mic": "microphone", "music.mic": "microphone", "music.note": "music",
    "music.note.list": "playlist", "music.quarternote.3": "music", "hifispeaker": "loudspeaker",
    // Pictures and screens
    "pip": "Picture in Picture", "pip.enter": "Picture in Picture", "pip.exit": "leave Picture in Picture", "pip.remove": "close Picture in Picture",
    "pip.swap": "swap pictures", "airplayvideo": "AirPlay", "airplayaudio": "AirPlay", "captions.bubble": "captions", "tv": "TV",
    "arrow.up.left.and.arrow.down.right": "full screen", "arrow.up.backward.and.arrow.down.forward": "full screen",
    "arrow.down.right.and.arrow.up.left": "leave full screen", "arrow.down.forward.and.arrow.up.backward": "leave full screen",
    "rectangle.expand.vertical": "expand", "rectangle.compress.vertical": "collapse", "photo.on.rectangle": "photos", "camera.filters": "filters",
    "wand.and.stars": "effects", "wand.and.rays": "effects", "paintpalette": "colours", "circle.lefthalf.filled": "contrast",
    // Time and speed
    "gauge": "speed", "gauge.low": "speed", "gauge.medium": "speed", "gauge.high": "speed", "gauge.with.needle": "speed", "speedometer": "speed",
    "gauge.with.dots.needle.33percent": "speed", "gauge.with.dots.needle.50percent": "speed", "gauge.with.dots.needle.67percent": "speed",
    "clock.arrow.circlepath": "history",
    // Going about
    "chevron.left": "back", "chevron.backward": "back", "chevron.right": "forward", "chevron.forward": "forward", "chevron.up": "up", "chevron.down": "down",
    "chevron.up.chevron.down": "choose", "arrow.left": "left", "arrow.right": "right", "arrow.up": "up", "arrow.down": "down", "arrow.backward": "back",
    "arrow.forward": "forward", "arrow.clockwise": "reload", "arrow.counterclockwise": "restart", "arrow.triangle.2.circlepath": "refresh",
    "arrow.2.circlepath": "refresh", "arrow.uturn.backward": "undo", "arrow.uturn.forward": "redo", "arrow.uturn.left": "undo", "arrow.uturn.right": "redo",
    "arrow.up.arrow.down": "sort", "arrow.down.to.line": "download", "arrow.up.to.line": "upload", "arrow.down.circle": "download", "arrow.up.circle": "upload",
    "arrowshape.turn.up.right": "share", "arrowshape.turn.up.forward": "share", "arrowshape.turn.up.left": "reply", "arrowshape.turn.up.left.2": "reply to all",
    "arrowtriangle.right": "right", "arrowtriangle.left": "left", "arrowtriangle.up": "up", "arrowtriangle.down": "down",
    "square.and.arrow.up": "share", "square.and.arrow.down": "save", "tray.and.arrow.down": "download", "tray.and.arrow.up": "upload",
    "icloud.and.arrow.down": "download", "icloud.and.arrow.up": "upload", "rectangle.portrait.and.arrow.right": "sign out",
    "house": "home", "xmark": "close", "plus": "add", "minus": "remove", "checkmark": "done", "ellipsis": "more", "magnifyingglass": "search",
    "plus.magnifyingglass": "zoom in", "minus.magnifyingglass": "zoom out", "line.3.horizontal": "menu", "line.horizontal.3": "menu",
    "line.3.horizontal.decrease": "filter", "list.bullet": "list", "list.dash": "list", "list.number": "numbered list", "list.clipboard": "list",
    "square.grid.2x2": "grid", "square.grid.3x2": "grid", "square.grid.3x3": "grid", "rectangle.grid.1x2": "grid", "rectangle.grid.2x2": "grid",
    "sidebar.left": "sidebar", "sidebar.right": "sidebar", "sidebar.leading": "sidebar", "sidebar.trailing": "sidebar",
    // Settings and tools
    "gear": "settings", "gearshape": "settings", "gearshape.2": "settings", "slider.horizontal.3": "adjustments", "slider.vertical.3": "adjustments",
    "switch.2": "switches", "pencil": "edit", "square.and.pencil": "compose", "trash": "delete", "doc": "document", "doc.text": "document", "doc.on.doc": "copy",
    "plus.square.on.square": "duplicate", "plus.rectangle.on.rectangle": "new window", "square.on.square": "copies", "doc.on.clipboard": "paste",
    // People
    "heart": "love", "suit.heart": "love", "star": "favourite", "hand.thumbsup": "like", "hand.thumbsdown": "dislike", "person.2": "people", "person.3": "people",
    "person.crop.circle": "person", "person.crop.square": "person", "bell": "notifications", "eye": "show", "eye.slash": "hide", "message": "messages",
    "ellipsis.message": "messages", "text.bubble": "comments", "ellipsis.bubble": "comments", "bubble.left.and.bubble.right": "conversation",
    "envelope": "mail", "paperplane": "send", "heart.text.square": "favourites", "square.text.square": "article",
    "dollarsign": "dollars", "eurosign": "euros", "sterlingsign": "pounds", "yensign": "yen", "bitcoinsign": "bitcoin",
    // States
    "info": "information", "questionmark": "help", "exclamationmark": "attention", "exclamationmark.triangle": "warning", "exclamationmark.octagon": "error",
    "xmark.octagon": "error", "lock": "locked", "lock.open": "unlocked", "wifi": "Wi-Fi", "wifi.slash": "no Wi-Fi", "wifi.exclamationmark": "Wi-Fi problem",
    "battery.0": "battery empty", "battery.25": "battery at 25 percent", "battery.50": "battery at 50 percent", "battery.75": "battery at 75 percent",
    "battery.100": "battery full", "battery.100.bolt": "battery charging", "moon": "dark", "sun.max": "bright", "sun.min": "dim", "bolt": "power",
]
