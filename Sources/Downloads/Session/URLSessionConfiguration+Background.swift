import Foundation
@_exported import FoundationNetworking

extension URLSessionConfiguration {
    /// Of an `AVAssetDownloadURLSession` whose downloads outlive the program: a session of the same identifier finds
    /// the unfinished ones at the next start. While no program of the app runs they rest.
    ///
    /// - Parameter identifier: the app's own name for it; `AVAssetDownloadURLSession` tells where its downloads lie.
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.identifier = identifier
        return configuration
    }
}
