import CGTK
import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the symbols, drawn with cairo.
@Suite("Symbols") @MainActor
struct SymbolTests {
    /// Symbols that real apps use, and that were once missing or wrong.
    static let met = """
        airplayvideo arrowshape.turn.up.right arrowshape.turn.up.right.fill arrowtriangle.right.fill backward.end.circle forward.end.circle \
        battery.75 battery.100.bolt bitcoinsign.circle circle.fill ellipsis.message ellipsis.message.fill gauge.high gift.fill hand.thumbsup \
        hand.thumbsdown heart heart.fill star star.fill suit.heart heart.text.square.fill square.text.square.fill house.circle.fill link.circle.fill \
        list.clipboard message.circle.fill music.quarternote.3 person.crop.circle.fill person.fill.badge.plus plus.rectangle.on.rectangle \
        square.on.square switch.2 video.badge.ellipsis 10.arrow.trianglehead.clockwise 10.arrow.trianglehead.counterclockwise \
        gauge.with.dots.needle.67percent waveform.circle pip.enter pip.exit pip captions.bubble text.bubble \
        speaker speaker.wave.1 speaker.wave.2 speaker.wave.3 speaker.slash speaker.slash.fill speaker.wave.2.fill \
        play play.fill pause pause.fill stop.fill play.circle play.circle.fill goforward goforward.5 goforward.10 goforward.15 goforward.30 \
        gobackward gobackward.5 gobackward.10 gobackward.15 gobackward.30 arrow.up.left.and.arrow.down.right arrow.down.right.and.arrow.up.left \
        photo info.circle paintbrush folder list.bullet exclamationmark.triangle slider.horizontal.3 pencil square.grid.2x2 ellipsis \
        chevron.left chevron.right chevron.down xmark checkmark plus minus magnifyingglass gear gearshape trash square.and.arrow.up \
        appletvremote.gen2 e.circle applelogo
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Symbols that had images before the project drew its own symbols.
    static let earlier = """
        play pause stop record.circle backward forward gobackward.45 backward.end.fill backward.frame.fill repeat.circle repeat.1 infinity shuffle mic.fill \
        headphones rectangle.expand.vertical pip.fill film video play.rectangle.fill movieclapper music.note music.note.list camera tv display list.dash \
        list.number square.grid.3x3 ellipsis.circle.fill line.3.horizontal line.horizontal.3 xmark.circle.fill checkmark.circle plus.magnifyingglass \
        minus.magnifyingglass arrow.left chevron.up.chevron.down arrow.clockwise arrow.triangle.2.circlepath arrow.uturn.backward arrow.down.circle.fill \
        square.and.arrow.down square.and.pencil doc.fill bookmark clock timer speedometer gauge hare tortoise.fill questionmark.circle.fill \
        exclamationmark.circle wifi wifi.slash wifi.exclamationmark globe network lock lock.open.fill person.circle house sun.max sun.min moon.fill \
        circle.lefthalf.filled circle.righthalf.filled paintpalette camera.filters wand.and.stars link bell eye eye.slash.fill sidebar.left sidebar.right \
        command keyboard power
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Draws a symbol in a box of `side` pixels, with `margin` pixels around it. Returns the coverage of each pixel,
    /// 0…255.
    /// - Parameter ink: The part of the symbol's grid that fills the box, or nil for the whole grid.
    static func pixels(
        _ steps: [SymbolStep], side: Int = 48, margin: Int = 0, weight: Font.Weight = .regular, ink: CGRect? = nil
    ) -> [UInt8] {
        let whole = side + 2 * margin
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(whole), Int32(whole)),
            let cr = cairo_create(surface)
        else { return [] }
        defer {
            cairo_destroy(cr)
            cairo_surface_destroy(surface)
        }
        let box = CGRect(x: margin, y: margin, width: side, height: side)
        steps.draw(cr, in: box, weight: weight.symbolLine, ink: ink) {
            cairo_set_source_rgba(cr, 0, 0, 0, 1)
        }
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        let stride = Int(cairo_image_surface_get_stride(surface))
        return (0..<whole).flatMap { y in (0..<whole).map { x in data[y * stride + x * 4 + 3] } }
    }
    static func ink(_ steps: [SymbolStep], weight: Font.Weight = .regular) -> Int {
        pixels(steps, weight: weight).reduce(0) { $0 + Int($1) }
    }

    /// Every symbol and its filled variant, if it can be drawn.
    static var all: [(name: String, steps: [SymbolStep])] {
        SymbolNames.all.flatMap { name in
            [name, name + ".fill"].compactMap { name in SymbolComposition.steps(name).map { (name, $0) } }
        }
    }

    @Test("every symbol used by apps is known and looks different")
    func met() {
        var seen: [(name: String, pixels: [UInt8])] = [("the placeholder", Self.pixels(SymbolComposition.placeholder))]
        for name in Self.met {
            guard let steps = SymbolComposition.steps(name) else {
                Issue.record("\(name) is not drawn")
                continue
            }
            let pixels = Self.pixels(steps)
            #expect(pixels.reduce(0) { $0 + Int($1) } > 20 * 255, "\(name) is nearly invisible")
            for other in seen {
                // Two symbols must differ by at least a fiftieth of the box.
                let difference = zip(pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(difference > 48 * 48 * 255 / 50, "\(name) looks like \(other.name)")
            }
            seen.append((name, pixels))
        }
        for name in Self.earlier { #expect(SymbolNames.isKnown(name), "\(name) was drawn in earlier versions") }
    }

    @Test("every symbol can be read; only synonyms look the same")
    func tables() {
        var seen: [[UInt8]: String] = [:]
        for name in SymbolNames.all {
            guard let steps = SymbolComposition.steps(name) else {
                Issue.record("\(name) cannot be read")
                continue
            }
            let pixels = Self.pixels(steps)
            if let same = SymbolTable.shared.synonyms[name] {
                #expect(SymbolComposition.steps(same) == steps, "\(name) is not \(same)")
            } else {
                #expect(seen[pixels] == nil, "\(name) looks like \(seen[pixels] ?? "")")
                seen[pixels] = name
            }
        }
        #expect(SymbolNames.all.count == Set(SymbolNames.all).count, "each name occurs once")
        #expect(SymbolNames.all.count > 500)
    }

    @Test("a filled symbol covers more than its outline")
    func filled() {
        for name in SymbolNames.all + Self.met {
            guard !name.hasSuffix(".fill"), let plain = SymbolComposition.steps(name),
                let full = SymbolComposition.steps(name + ".fill")
            else { continue }
            #expect(Self.ink(full) > Self.ink(plain), "\(name)")
        }
    }

    @Test("a symbol never draws outside its box at any weight")
    func inside() {
        let side = 40
        let margin = 8
        let whole = side + 2 * margin
        let composed = [
            "play.circle.fill", "mic.slash", "video.badge.ellipsis", "bell.badge", "goforward.30", "100.square",
            "person.crop.circle.badge.checkmark",
        ]
        for (name, steps) in Self.all
            + composed.compactMap({ name in SymbolComposition.steps(name).map { (name, $0) } })
        {
            for weight in [Font.Weight.thin, .regular, .black] {
                let pixels = Self.pixels(steps, side: side, margin: margin, weight: weight)
                let outside = pixels.indices.filter { index in
                    let (x, y) = (index % whole - margin, index / whole - margin)
                    return pixels[index] > 0 && !(0..<side).contains(x) || pixels[index] > 0 && !(0..<side).contains(y)
                }
                #expect(outside.isEmpty, "\(name) at \(weight)")
            }
        }
    }

    @Test("variants such as circle, slash and badge are composed of parts")
    func composed() throws {
        func pixel(_ name: String, _ x: Int, _ y: Int) throws -> UInt8 {
            Self.pixels(try #require(SymbolComposition.steps(name)))[y * 48 + x]
        }
        // One point in the middle of the triangle, and one between the triangle and the circle.
        #expect(try pixel("play.circle", 24, 24) == 255)
        #expect(try pixel("play.circle", 10, 24) == 0)
        #expect(try pixel("play.circle.fill", 24, 24) == 0)
        #expect(try pixel("play.circle.fill", 10, 24) == 255)
        // One point on the slash, and one in the gap beside it.
        #expect(try pixel("square.slash.fill", 24, 24) == 255)
        #expect(try pixel("square.slash.fill", 28, 24) == 0)
        #expect(try pixel("square.fill", 28, 24) == 255)
        for name in [
            "42.circle", "goforward.75", "gobackward.90", "heart.slash.circle.fill", "folder.fill.badge.plus",
            "rectangle.fill.on.rectangle.fill", "bell.badge.fill",
        ] {
            #expect(SymbolNames.isKnown(name), "\(name)")
        }
        for name in [
            "", ".", "fill", ".fill", "no.such.symbol", "_speaker", "no.such.circle.fill", "xmark.fill", "1000.circle",
            "play..fill", String(repeating: "circle.", count: 40) + "circle",
            "no" + String(repeating: ".circle", count: 13),
        ] {
            #expect(!SymbolNames.isKnown(name), "\(name)")
        }
    }

    @Test("an unknown symbol shows a dashed square")
    func unknown() {
        let stage = Stage(48, 48) { Image(systemName: "no.such.symbol").resizable().foregroundColor(.black) }
        let ink = SymbolComposition.ink("no.such.symbol", weight: Font.Weight.regular.symbolLine)
        let placeholder = Self.pixels(SymbolComposition.placeholder, ink: ink)
        for (x, y) in [(24, 24), (24, 2), (2, 24), (17, 2), (12, 12)] {
            #expect(abs(Int(stage.pixel(x, y)[3]) - Int(placeholder[y * 48 + x])) <= 1)
        }
        #expect(stage.pixel(24, 2)[3] > 200)
        #expect(stage.pixel(24, 24)[3] == 0)
    }

    @Test(
        "a symbol's ink reaches the bounds that are computed for it",
        arguments: [
            "person.circle", "minus", "play.fill", "chevron.right", "rectangle", "speaker.wave.2.fill",
            "square.and.arrow.up", "heart.slash",
        ])
    func ink(name: String) throws {
        let steps = try #require(SymbolComposition.steps(name))
        for weight in [Font.Weight.thin, .regular, .black] {
            let ink = SymbolComposition.ink(name, weight: weight.symbolLine)
            let (side, margin) = (96, 4)
            let whole = side + 2 * margin
            let pixels = Self.pixels(steps, side: side, margin: margin, weight: weight, ink: ink)
            let covered = pixels.indices.filter { pixels[$0] > 8 }
            let (columns, rows) = (covered.map { $0 % whole - margin }, covered.map { $0 / whole - margin })
            for (least, most) in [(columns.min(), columns.max()), (rows.min(), rows.max())] {
                let (first, last) = (try #require(least), try #require(most))
                #expect((-1...1).contains(first) && (94...96).contains(last), "\(weight)")
            }
        }
    }

    /// Returns the bounds of the pixels that a stage draws.
    private func drawn(_ stage: Stage) -> CGRect {
        let pixels = stage.drawing()
        var result = CGRect.null
        for y in 0..<Int(stage.host.surface.size.height) {
            for x in 0..<pixels.width where (pixels.pixel(x, y).last ?? 0) > 8 {
                result = result.union(CGRect(x: x, y: y, width: 1, height: 1))
            }
        }
        return result
    }

    @Test(
        "a resizable symbol fills its frame in both directions",
        arguments: [CGSize(width: 80, height: 80), CGSize(width: 80, height: 30), CGSize(width: 20, height: 60)])
    func resizable(size: CGSize) {
        let stage = Stage(100, 100) {
            Image(systemName: "person.circle").resizable().frame(width: size.width, height: size.height)
        }
        let ink = drawn(stage)
        #expect(abs(ink.width - size.width) <= 2 && abs(ink.height - size.height) <= 2, "\(ink)")
        #expect(abs(ink.midX - 50) <= 1 && abs(ink.midY - 50) <= 1, "\(ink)")
    }

    @Test("a symbol scaled to fit has the ratio of its ink")
    func scaledToFit() throws {
        let stage = Stage(100, 100) { Image(systemName: "rectangle").resizable().scaledToFit() }
        let ink = SymbolComposition.ink("rectangle", weight: Font.Weight.regular.symbolLine)
        #expect(ink.width / ink.height > 1.2)
        let frame = try #require(stage.elements.first { $0 is ImageElement }).frameInHost
        #expect(abs(frame.width - 100) < 0.5 && abs(frame.height - 100 * ink.height / ink.width) < 0.5)
        #expect(abs(drawn(stage).width - frame.width) <= 2 && abs(drawn(stage).height - frame.height) <= 2)
    }

    @Test("a symbol follows its font's size, weight and color, centered on capitals")
    func looks() throws {
        func side(_ font: Font, _ scale: Image.Scale = .medium) -> CGFloat {
            let stage = Stage { Image(systemName: "circle").font(font).imageScale(scale) }
            return stage.elements.first { $0 is ImageElement }?.frame.height ?? 0
        }
        #expect(side(.system(size: 20)) == 24)
        #expect(side(.system(size: 40)) == 48)
        #expect(side(.system(size: 20), .small) < 24)
        #expect(side(.system(size: 20), .large) > 24)
        let circle = try #require(SymbolComposition.steps("circle"))
        #expect(
            Self.ink(circle, weight: .thin) < Self.ink(circle) && Self.ink(circle) < Self.ink(circle, weight: .semibold)
        )
        #expect(Self.ink(circle, weight: .semibold) < Self.ink(circle, weight: .black))

        for font in [Font.body, .largeTitle, .caption, .system(size: 50)] {
            let stage = Stage {
                HStack(alignment: .firstTextBaseline) {
                    Image(systemName: "circle")
                    Text("H")
                }.font(font)
            }
            let image = try #require(stage.elements.first { $0 is ImageElement }).frameInHost
            let text = try #require(stage.elements.first { $0 is TextElement })
            let baseline =
                text.frameInHost.minY
                + (text.explicitGuide(VerticalAlignment.firstTextBaseline.key, text.frame.size) ?? 0)
            #expect(abs(image.midY - (baseline - font.capitalHeight / 2)) < 1)
            #expect(font.capitalHeight > 0.5 * font.shownSize && font.capitalHeight < font.shownSize)
        }

        let red = Stage(40, 40) {
            Image(systemName: "square.fill").resizable().foregroundColor(Color(red: 1, green: 0, blue: 0))
        }
        #expect(red.pixel(20, 20) == [255, 0, 0, 255])
        let faded = Stage(40, 40) {
            Image(systemName: "film.fill").resizable().foregroundColor(Color(red: 0, green: 0, blue: 1).opacity(0.5))
        }
        // Overlapping lines and areas do not add up their opacities.
        #expect(abs(Int(faded.pixel(20, 11)[3]) - 128) <= 1)
        let gradient = Stage(40, 40) {
            Image(systemName: "square.fill").resizable().foregroundStyle(
                LinearGradient(colors: [.black, .white], startPoint: .leading, endPoint: .trailing))
        }
        #expect(gradient.pixel(8, 20)[0] < 90 && gradient.pixel(32, 20)[0] > 165)
    }

    @Test(
        "each symbol has a spoken name",
        arguments: [
            ("goforward.10", "Skip forward 10 seconds"), ("gobackward.30", "Skip back 30 seconds"),
            ("10.arrow.trianglehead.clockwise", "Skip forward 10 seconds"),
            ("speaker.slash.fill", "Muted"), ("xmark.circle.fill", "Close"), ("square.and.arrow.up", "Share"),
            ("heart.fill", "Love"), ("mic.slash", "Microphone off"),
            ("person.fill.badge.plus", "Add person"), ("video.badge.ellipsis", "Video, more"), ("play.circle", "Play"),
            ("film", "Film"), ("tv.fill", "TV"),
            ("pip.enter", "Picture in Picture"), ("2.circle", "2"),
            ("arrow.up.left.and.arrow.down.right", "Full screen"), ("no.such.symbol", "No such symbol"),
        ])
    func words(name: String, words: String) { #expect(SymbolNames.label(name) == words) }

    /// The symbol names in the project's sources, examples and documents, each with its file. A name is a literal after
    /// `systemName:` or a similar label, or any literal of the form `word.word` that begins like a symbol's name.
    private static func written() throws -> [String: String] {
        let named = try Regex("(?:system(?:Name|Image|SymbolName)|[sS]ymbol|[iI]con)(?:\\(|:|: String =)[^,)\\n]*")
        let literal = try Regex("\"([a-z0-9]+(?:\\.[a-z0-9]+)*)\"")
        let firsts = Set(SymbolNames.all.compactMap { $0.split(separator: ".").first })
        // Last parts of file names, domains and keys, which are not symbols.
        let others: Set<Substring> = [
            "mp4", "mkv", "webm", "mov", "png", "jpg", "jpeg", "svg", "vtt", "srt", "ass", "swift", "json", "txt",
            "glsl",
            "com", "org", "m3u8", "mp3", "wav", "flac", "sock", "conf", "db", "sqlite",
        ]
        var found: [String: String] = [:]
        for folder in ["Sources", "Examples", "Benchmarks", "docs"] {
            let root = Repository.root.appendingPathComponent(folder)
            for case let file as URL in FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
                ?? .init()
            where ["swift", "md", "tutorial"].contains(file.pathExtension) && !file.path.contains("/Drawing/Symbols/") {
                let text = try String(contentsOf: file, encoding: .utf8)
                func note(_ part: Substring, _ isSymbol: (Substring) -> Bool) {
                    for match in part.matches(of: literal) {
                        guard let name = match.output[1].substring, isSymbol(name) else { continue }
                        found[String(name)] = file.lastPathComponent
                    }
                }
                for match in text.matches(of: named) { note(text[match.range]) { _ in true } }
                note(text[...]) { name in
                    let parts = name.split(separator: ".")
                    // Names of app actions have the same form.
                    if name.hasPrefix("app."), file.path.contains("/PlayerApp/") { return false }
                    return parts.count > 1 && firsts.contains(parts[0]) && !others.contains(parts[parts.count - 1])
                }
            }
        }
        return found
    }

    @Test("every symbol named in sources, examples and documents is known")
    func written() throws {
        let all = try Self.written()
        // Proof that the search finds the sources: too few names would mean a wrong folder or pattern.
        #expect(all.count > 60, "\(all.keys.sorted())")
        for name in ["play.fill", "captions.bubble", "chevron.left.forwardslash.chevron.right", "house"] {
            #expect(all[name] != nil, "\(name) is not found in the sources")
        }
        for (name, file) in all where !SymbolNames.isKnown(name) { Issue.record("\(name) in \(file) is not drawn") }
    }

    /// Writes `.generated/symbols-16.png` to `.generated/symbols-64.png`.
    @Test(
        "a sheet of all symbols is written for review",
        arguments: [16, 24, 32, 64])
    func sheet(side: Int) throws {
        let all = Self.all
        let columns = 32
        let cell = Double(side) * 1.4
        let rows = (all.count + columns - 1) / columns
        // The bold symbols are below the regular ones.
        let surface = try #require(
            cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32(Double(columns) * cell), Int32(Double(rows * 2) * cell)))
        defer { cairo_surface_destroy(surface) }
        let cr = try #require(cairo_create(surface))
        cairo_set_source_rgb(cr, 1, 1, 1)
        cairo_paint(cr)
        for (block, weight) in [Font.Weight.regular, .bold].enumerated() {
            for (index, symbol) in all.enumerated() {
                let at = CGPoint(
                    x: (Double(index % columns) + 0.15) * cell,
                    y: (Double(index / columns + block * rows) + 0.15) * cell)
                symbol.steps.draw(
                    cr, in: CGRect(origin: at, size: CGSize(width: side, height: side)), weight: weight.symbolLine
                ) { cairo_set_source_rgb(cr, 0.1, 0.1, 0.1) }
            }
        }
        cairo_destroy(cr)
        let folder = Repository.root.appendingPathComponent(".generated")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(
            cairo_surface_write_to_png(surface, folder.appendingPathComponent("symbols-\(side).png").path)
                == CAIRO_STATUS_SUCCESS)
    }

    @Test("a symbol with lines is heavier in bold, never completely filled")
    func bold() {
        for (name, steps) in Self.all {
            let (regular, bold) = (Self.ink(steps), Self.ink(steps, weight: .bold))
            guard steps.contains(where: { $0.stroke != nil && !$0.isErasing }) else { continue }
            // Lines that are cut out of an area get bolder too, which leaves less of the area.
            if !steps.contains(where: \.isErasing) { #expect(bold > regular, "\(name)") }
            #expect(bold < 48 * 48 * 255 * 9 / 10, "\(name)")
        }
    }
}
