import Foundation

// Failures of loading a resource that occur in several layers. Each message is defined only here.
extension AVError {
    /// Returns the error for a response whose status is not a success.
    /// - Parameter reason: The reason, or nil to state only the status.
    package static func badStatus(_ status: Int?, at location: String, reason: String? = nil) -> AVError {
        let advice =
            switch status {
            case 401, 403, 407: "Check the user name and password, cookies or token for this URL"
            case 404, 410: "Check the URL"
            case 429: "Wait a few minutes, then try again"
            case .some(500...): "Try again later"
            default: ""
            }
        return AVError(
            .badServerResponse, at: location,
            reason:
                reason ?? "the server returned \(status.map(String.init) ?? "an unknown status")",
            suggestion: advice, httpStatus: status)
    }

    /// Returns the error for a URL whose scheme cannot be loaded.
    package static func unsupportedScheme(_ url: URL) -> AVError {
        AVError(
            .unsupportedURL, at: url.location,
            reason: "the scheme “\(url.scheme ?? "")” is not supported",
            suggestion: "Use a file, http or https URL")
    }

    /// Returns the error for a resource that is too large.
    ///
    /// - Parameters:
    ///   - limit: The maximum size, in bytes.
    ///   - kind: The expected content, such as “subtitles”; nil if the limit applies to any content.
    package static func tooLong(_ limit: Int64, for kind: String? = nil, at location: String) -> AVError {
        AVError(
            .readFailed, at: location,
            reason: "the file is larger than the limit of \(limit) bytes\(kind.map { " for \($0)" } ?? "")",
            suggestion: "Use a smaller file")
    }

    /// Returns the error for data that is not an image of a known format.
    /// - Parameter detail: The decoder's message, or an empty string if there is none.
    package static func notAnImage(at location: String, _ detail: String = "") -> AVError {
        AVError(
            .fileFormatNotRecognized, at: location,
            reason: "the data is not a readable image" + (detail.isEmpty ? "" : " (\(detail))"),
            suggestion: "Use a PNG, JPEG or TIFF image")
    }
}
