import Foundation

/// A handler that answers with the files of a folder.
struct FileAnswers: Sendable {
    let root: URL

    func answer(_ request: ServerRequest) -> ServerResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("..") else { return .status(403) }
        return Self.answer(file: root.appendingPathComponent(request.path))
    }

    /// Returns the whole file with its validators; 404 if it does not exist. `RangeAnswer` then reduces the answer to
    /// the requested range.
    static func answer(file: URL) -> ServerResponse {
        var info = stat()
        guard stat(file.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return .status(404) }
        let size = Int64(info.st_size)
        var response = ServerResponse(
            headers: ["Content-Type": MIMEType.of(file.path)], body: .file(file, offset: 0, count: size))
        response.headers["ETag"] =
            "\"\(String(size, radix: 16))-\(String(info.st_mtim.tv_sec, radix: 16))-\(String(info.st_mtim.tv_nsec, radix: 16))\""
        response.headers["Last-Modified"] = httpDate(info.st_mtim.tv_sec)
        return response
    }

    /// Returns a date in the format of HTTP (RFC 9110 §5.6.7).
    static func httpDate(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ n: Int32) -> String { n < 10 ? "0\(n)" : "\(n)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}

/// The handling of conditions and ranges (RFC 9110 §13 and §14) for an answer of known length.
enum RangeAnswer {
    static func apply(_ request: ServerRequest, to whole: ServerResponse) -> ServerResponse {
        guard whole.status == 200, let size = whole.body.count else { return whole }
        var answer = whole
        answer.headers["Accept-Ranges"] = "bytes"
        let tag = whole.headers["ETag"]
        let date = whole.headers["Last-Modified"]
        if let known = request.headers["If-None-Match"], let tag, known == "*" || known.contains(tag) {
            answer.status = 304
            answer.body = .data(Data())
            return answer
        }
        guard let field = request.headers["Range"] else { return answer }
        // With If-Range, the client gets the part only if its version is current, otherwise the whole (RFC 9110
        // §13.1.5).
        if let validator = request.headers["If-Range"], validator != tag, validator != date { return answer }
        switch parse(field, size: size) {
        // The field is invalid or requests several parts, which a server may refuse. Both are ignored.
        case nil: return answer
        case .some(nil):
            answer = .status(416)
            answer.headers["Content-Range"] = "bytes */\(size)"
            return answer
        case .some(.some(let range)):
            answer.status = 206
            answer.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            switch whole.body {
            case .data(let data): answer.body = .data(Data(data.dropFirst(Int(range.lowerBound)).prefix(range.count)))
            case .file(let url, let offset, _):
                answer.body = .file(url, offset: offset + range.lowerBound, count: Int64(range.count))
            case .endless: break
            }
            return answer
        }
    }

    /// Parses a Range field.
    /// - Returns: Nil if the field is not a single byte range; an inner nil if the range can't be satisfied.
    static func parse(_ field: String, size: Int64) -> Range<Int64>?? {
        guard field.hasPrefix("bytes=") else { return nil }
        let sides = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard sides.count == 2, !field.contains(",") else { return nil }
        if sides[0].isEmpty {
            guard let count = Int64(sides[1]), count >= 0 else { return nil }
            return count == 0 || size == 0 ? .some(nil) : max(0, size - count)..<size
        }
        guard let first = Int64(sides[0]), first >= 0 else { return nil }
        if sides[1].isEmpty { return first < size ? first..<size : .some(nil) }
        guard let last = Int64(sides[1]), last >= first else { return nil }
        return first < size ? first..<(min(last, size - 1) + 1) : .some(nil)
    }
}
