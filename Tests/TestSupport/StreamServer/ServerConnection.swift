import Foundation
import MediaCore

/// A connection that reads requests and answers them with the effects of fault rules.
struct ServerConnection {
    let core: ServerCore
    let socket: ServerSocket
    let number: Int

    /// The action on the connection after an answer.
    private enum After { case keep, close, reset }

    func run() {
        var unread = Data()
        var after = After.keep
        do {
            while after == .keep, let request = try readRequest(&unread) {
                // Tests wait for a request in the log before they remove a rule, so the rules count it first.
                let plan = core.rules.plan(for: request)
                let index = core.log.begin(request, connection: number)
                do {
                    after = try answer(request, plan, index)
                } catch {
                    let outcome: ServedRequest.Outcome =
                        (error as? ConnectionEnd) == .serverGone ? .serverGone : .clientGone
                    core.log.change(index) {
                        $0.outcome = outcome
                        $0.ended = HostClock.now()
                    }
                    throw error
                }
            }
        } catch { after = .reset }
        if after == .reset { socket.drain() }
        socket.close(reset: after == .reset)
    }

    private func readRequest(_ unread: inout Data) throws -> ServerRequest? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = unread.range(of: end) {
                let request = ServerRequest(head: Data(unread[..<range.lowerBound]))
                unread = Data(unread[range.upperBound...])
                guard let request else { return nil }
                // The body is not needed, but it precedes the next request.
                var body = request.headers["Content-Length"].flatMap(Int.init) ?? 0
                while body > unread.count {
                    body -= unread.count
                    guard let more = try socket.receive() else { return nil }
                    unread = more
                }
                unread = Data(unread.dropFirst(body))
                return request
            }
            guard unread.count < 65536, let more = try socket.receive() else { return nil }
            unread.append(more)
        }
    }

    private func answer(_ original: ServerRequest, _ plan: ResponsePlan, _ index: Int) throws -> After {
        func end(_ outcome: ServedRequest.Outcome, _ after: After) -> After {
            core.log.change(index) {
                $0.outcome = outcome
                $0.ended = HostClock.now()
            }
            return after
        }
        if plan.latency > 0 { try socket.pause(seconds: plan.latency) }
        switch plan.cutBeforeHead {
        case .reset: return end(.reset, .reset)
        case .close: return end(.truncated, .close)
        case nil: break
        }
        if let raw = plan.raw {
            try send(raw, pace: plan.bodyPace)
            core.log.change(index) { $0.bytesSent = Int64(raw.count) }
            return end(.complete, .close)
        }
        var request = original
        if plan.refusesRanges { request.headers["Range"] = nil }
        let response = try respond(to: request, plan)
        let isChunked = plan.isChunked || response.body.count == nil && !plan.hasNoLength
        let hasBody =
            request.method != "HEAD" && response.status != 304 && response.status >= 200 && response.status != 204
        let head = self.head(of: response, plan, isChunked: isChunked)
        // The log is changed before the head is sent, so that a client with the answer finds the status in the log.
        core.log.change(index) { $0.status = response.status }
        try send(head, pace: plan.headPace)
        if hasBody {
            var body = BodyWriter(connection: self, plan: plan, isChunked: isChunked, index: index)
            guard try body.write(response.body) else {
                return plan.cut?.how == .reset ? end(.reset, .reset) : end(.truncated, .close)
            }
        }
        return end(
            .complete, request.wantsClose || plan.hasNoLength || announcesWrongly(plan, response) ? .close : .keep)
    }

    private func respond(to request: ServerRequest, _ plan: ResponsePlan) throws -> ServerResponse {
        var response: ServerResponse
        do {
            response =
                try plan.replacement ?? plan.frozen?.first(request.path)
                ?? core.answer(request, ServerContext(socket: socket))
        } catch let end as ConnectionEnd {
            throw end
        } catch {
            response = .text("\(error)\n", status: 500)
        }
        plan.frozen?.keep(response, for: request.path)
        if !plan.refusesRanges { response = RangeAnswer.apply(request, to: response) }
        if plan.compresses, response.status == 200, let bytes = BodyWriter.all(response.body),
            request.headers["Accept-Encoding"]?.contains("gzip") == true
        {
            response.body = .data(Gzip.wrap(bytes))
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Accept-Ranges"] = nil
        }
        for (name, value) in plan.headers { response.headers[name] = value }
        return response
    }

    private func announcesWrongly(_ plan: ResponsePlan, _ response: ServerResponse) -> Bool {
        plan.announcedLengthOffset != 0 || plan.announcedLength.map { $0 != response.body.count } ?? false
    }

    private func head(of response: ServerResponse, _ plan: ResponsePlan, isChunked: Bool) -> Data {
        var headers = response.headers
        headers["Date"] = headers["Date"] ?? FileAnswers.httpDate(time(nil))
        headers["Connection"] = plan.hasNoLength ? "close" : headers["Connection"]
        if isChunked {
            headers["Transfer-Encoding"] = "chunked"
        } else if !plan.hasNoLength, response.status != 304, let count = response.body.count {
            headers["Content-Length"] = String(plan.announcedLength ?? max(0, count + plan.announcedLengthOffset))
        }
        return Data("HTTP/1.1 \(response.status) \(ServerResponse.reason(response.status))\r\n\(headers)\r\n".utf8)
    }

    /// Sends bytes at the speed of the network.
    /// - Parameters:
    ///   - pace: The seconds between single bytes; 0 to send as fast as the network allows.
    ///   - pacer: A further limit for this answer; nil for none.
    func send(_ data: Data, pace: Double = 0, pacer: Pacer? = nil) throws {
        try data.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                var piece = bytes.count - at
                if pace > 0 { piece = 1 }
                if let pacer { piece = min(piece, pacer.piece) }
                if let network = core.network { piece = min(piece, network.piece) }
                try pass(piece, pacer)
                // The network is read again each time, because it may change.
                try pass(piece) { core.network }
                try socket.send(UnsafeRawBufferPointer(rebasing: bytes[at..<at + piece]))
                at += piece
                if pace > 0 { try socket.pause(seconds: pace) }
            }
        }
    }

    private func pass(_ count: Int, _ pacer: Pacer?) throws {
        if let pacer { try pass(count) { pacer } }
    }

    private func pass(_ count: Int, _ line: () -> Pacer?) throws {
        while let pacer = line() {
            let slot = pacer.hand(over: count)
            let hasChanged = try socket.wait(until: slot.passed) {
                line() !== pacer || pacer.generation != slot.generation
            }
            if !hasChanged { return }
        }
    }
}
