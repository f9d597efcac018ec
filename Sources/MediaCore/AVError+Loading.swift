import Foundation

// Failures of loading a resource that several layers meet: each is worded once, here.
extension AVError {
    /// The server answered with a status that is no success.
    /// - Parameter reason: nil: the status alone.
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

    /// The URL's scheme is not one that can be loaded.
    package static func unsupportedScheme(_ url: URL) -> AVError {
        AVError(
            .unsupportedURL, at: url.location,
            reason: "the scheme “\(url.scheme ?? "")” is not supported",
            suggestion: "Use a file, http or https URL")
    }

    /// The resource is longer than it may be.
    /// - Parameter limit: bytes.
    package static func tooLong(_ limit: Int64, at location: String) -> AVError {
        AVError(
            .readFailed, at: location, reason: "the file is larger than the limit of \(limit) bytes",
            suggestion: "Use a smaller file")
    }

    /// The data are not an image of a known format.
    /// - Parameter detail: the decoder's text; empty: none.
    package static func notAnImage(at location: String, _ detail: String = "") -> AVError {
        AVError(
            .fileFormatNotRecognized, at: location,
            reason: "the data is not a readable image" + (detail.isEmpty ? "" : " (\(detail))"),
            suggestion: "Use a PNG, JPEG or TIFF image")
    }

    /// There is nothing under that name.
    package static func notFound(at location: String) -> AVError {
        AVError(.fileNotFound, at: location, reason: "the file does not exist", suggestion: "Check the path or the URL")
    }
}
