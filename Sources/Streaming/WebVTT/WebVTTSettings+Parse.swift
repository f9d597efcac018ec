extension WebVTTSettings {
    /// Parses the settings after a cue's times (WebVTT §6.3). Invalid settings are ignored.
    init(parsing text: ArraySlice<UInt8>, regions: [WebVTTRegion]) {
        self.init()
        for setting in text.split(whereSeparator: WebVTTScanner.isSpace) {
            guard let (name, value) = webVTTPair(setting, separator: 0x3A) else { continue }
            switch String(decoding: name, as: UTF8.self) {
            case "region":
                let wanted = String(decoding: value, as: UTF8.self)
                region = regions.last { $0.identifier == wanted }
            case "vertical": parseVertical(value)
            case "line": parseLine(value)
            case "position": parsePosition(value)
            case "size":
                guard let percentage = webVTTPercentage(value) else { continue }
                size = percentage
            case "align": parseAlign(value)
            default: continue
            }
        }
        // With these settings, a cue does not belong to a region.
        if writingDirection != .horizontal || line != .automatic || size != 100 { region = nil }
    }

    private mutating func parseVertical(_ value: ArraySlice<UInt8>) {
        switch String(decoding: value, as: UTF8.self) {
        case "rl": writingDirection = .verticalGrowingLeft
        case "lr": writingDirection = .verticalGrowingRight
        default: return
        }
    }

    /// Splits a setting into its value and the alignment after a comma.
    private static func parts(_ value: ArraySlice<UInt8>) -> (value: ArraySlice<UInt8>, alignment: String?) {
        guard let comma = value.firstIndex(of: 0x2C) else { return (value, nil) }
        return (value[..<comma], String(decoding: value[(comma + 1)...], as: UTF8.self))
    }

    private mutating func parseLine(_ value: ArraySlice<UInt8>) {
        let (offset, alignment) = WebVTTSettings.parts(value)
        let parsed: Line
        if offset.last == 0x25 {
            guard let percentage = webVTTPercentage(offset) else { return }
            parsed = .percentage(percentage)
        } else {
            guard let number = webVTTNumber(offset, mayBeNegative: true) else { return }
            parsed = .number(number)
        }
        switch alignment {
        case nil: break
        case "start": lineAlignment = .start
        case "center": lineAlignment = .center
        case "end": lineAlignment = .end
        default: return
        }
        line = parsed
    }

    private mutating func parsePosition(_ value: ArraySlice<UInt8>) {
        let (offset, alignment) = WebVTTSettings.parts(value)
        guard let percentage = webVTTPercentage(offset) else { return }
        switch alignment {
        case nil: break
        case "line-left": positionAlignment = .lineLeft
        case "center": positionAlignment = .center
        case "line-right": positionAlignment = .lineRight
        default: return
        }
        position = .percentage(percentage)
    }

    private mutating func parseAlign(_ value: ArraySlice<UInt8>) {
        switch String(decoding: value, as: UTF8.self) {
        case "start": textAlignment = .start
        // Files still contain "middle", the name from drafts of the specification.
        case "center", "middle": textAlignment = .center
        case "end": textAlignment = .end
        case "left": textAlignment = .left
        case "right": textAlignment = .right
        default: return
        }
    }
}

extension WebVTTRegion {
    /// Parses the lines of a `REGION` block (WebVTT §6.2). Returns nil without an identifier, because no cue could
    /// refer to the region.
    init?(parsing text: ArraySlice<UInt8>) {
        self.init()
        for setting in text.split(whereSeparator: WebVTTScanner.isSpace) {
            guard let (name, value) = webVTTPair(setting, separator: 0x3A) else { continue }
            switch String(decoding: name, as: UTF8.self) {
            case "id": identifier = String(decoding: value, as: UTF8.self)
            case "width": width = webVTTPercentage(value) ?? width
            case "lines":
                lines =
                    value.allSatisfy(WebVTTScanner.isDigit)
                    ? WebVTTScanner.number(value).map { Int($0) } ?? lines : lines
            case "regionanchor": regionAnchor = WebVTTRegion.anchor(value) ?? regionAnchor
            case "viewportanchor": viewportAnchor = WebVTTRegion.anchor(value) ?? viewportAnchor
            case "scroll": scrollsUp = scrollsUp || value.elementsEqual("up".utf8)
            default: continue
            }
        }
        guard !identifier.isEmpty else { return nil }
    }

    private static func anchor(_ value: ArraySlice<UInt8>) -> Anchor? {
        guard let (x, y) = webVTTPair(value, separator: 0x2C), let x = webVTTPercentage(x), let y = webVTTPercentage(y)
        else { return nil }
        return Anchor(x: x, y: y)
    }
}

/// Returns the parts before and after the first separator, or nil if one of them is empty.
func webVTTPair(_ text: ArraySlice<UInt8>, separator: UInt8) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    guard let offset = text.firstIndex(of: separator), offset > text.startIndex, offset < text.endIndex - 1 else {
        return nil
    }
    return (text[..<offset], text[(offset + 1)...])
}
