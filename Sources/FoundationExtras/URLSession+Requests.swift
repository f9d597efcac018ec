import Foundation
import FoundationNetworking

/// Asynchronous requests without a delegate for each task.
///
/// Foundation on Linux only has the forms with a `delegate` parameter. Its default value lets calls omit the parameter,
/// but a method with that parameter can't fulfill the requirement of an app's protocol, such as
/// `func data(for request: URLRequest) async throws -> (Data, URLResponse)`.
extension URLSession {
    /// Returns the body and the response of `request`. When the calling task is canceled, the request is canceled,
    /// and the method throws `URLError.cancelled`.
    ///
    /// ```swift
    /// let (data, response) = try await URLSession.shared.data(for: request)
    /// ```
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: request, delegate: nil)
    }
    /// Returns the body and the response of a request for `url`. When the calling task is canceled, the request is
    /// canceled, and the method throws `URLError.cancelled`.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(from: url, delegate: nil)
    }
    /// Sends `bodyData` with `request`, and returns the body and the response of the server. When the calling task is
    /// canceled, the request is canceled, and the method throws `URLError.cancelled`.
    public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
        try await upload(for: request, from: bodyData, delegate: nil)
    }
    /// Sends the file at `fileURL` with `request`, and returns the body and the response of the server. When the
    /// calling task is canceled, the request is canceled, and the method throws `URLError.cancelled`.
    public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
        try await upload(for: request, fromFile: fileURL, delegate: nil)
    }
    /// Downloads the body of `request` to a temporary file, and returns its URL and the response. Move the file to keep
    /// it. When the calling task is canceled, the request is canceled, and the method throws `URLError.cancelled`.
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await download(for: request, delegate: nil)
    }
    /// Downloads the body of a request for `url` to a temporary file, and returns its URL and the response. Move the
    /// file to keep it. When the calling task is canceled, the request is canceled, and the method throws
    /// `URLError.cancelled`.
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await download(from: url, delegate: nil)
    }
}
