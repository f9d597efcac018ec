import Foundation
import FoundationNetworking

extension DownloadError {
    /// Returns the error as URL loading reports it: in `NSURLErrorDomain`, with this error as the underlying error.
    func asURLError(for url: URL) -> NSError {
        var info: [String: Any] = [
            NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: localizedDescription,
            NSURLErrorFailingURLErrorKey: url,
        ]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return NSError(domain: NSURLErrorDomain, code: urlErrorCode, userInfo: info)
    }

    private var urlErrorCode: Int {
        switch code {
        case .cancelled: NSURLErrorCancelled
        case .network: httpStatus == nil ? NSURLErrorNetworkConnectionLost : NSURLErrorBadServerResponse
        case .secureConnectionFailed: NSURLErrorSecureConnectionFailed
        case .meteredNetwork: NSURLErrorDataNotAllowed
        case .diskFull, .quotaExceeded, .disk: NSURLErrorCannotWriteToFile
        case .refused: httpStatus == 403 ? NSURLErrorNoPermissionsToReadFile : NSURLErrorUserAuthenticationRequired
        case .gone, .notFound: NSURLErrorFileDoesNotExist
        case .credentialsNeeded: NSURLErrorUserAuthenticationRequired
        case .linkExpired, .changedOnServer, .keyMissing, .wrongKey: NSURLErrorResourceUnavailable
        case .notMedia: NSURLErrorCannotDecodeContentData
        case .live: NSURLErrorUnsupportedURL
        case .protected: NSURLErrorNoPermissionsToReadFile
        case .inUse: NSURLErrorBackgroundSessionInUseByAnotherProcess
        case .damaged, .record: NSURLErrorCannotOpenFile
        case .invalidArgument: NSURLErrorBadURL
        }
    }
}
