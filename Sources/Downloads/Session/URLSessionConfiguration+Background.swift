@_exported import FoundationNetworking

extension URLSessionConfiguration {
    /// Returns a configuration for an `AVAssetDownloadURLSession` whose downloads survive the end of the process.
    ///
    /// A session with the same identifier restores the unfinished tasks at the next launch. Downloads do not progress
    /// while no process of the app runs.
    ///
    /// - Parameter identifier: A name that the app chooses. See `AVAssetDownloadURLSession` for the folder of the
    ///   downloads.
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.identifier = identifier
        return configuration
    }
}
