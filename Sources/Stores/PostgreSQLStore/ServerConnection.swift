import Foundation
import ObjectModel
import SQLQueries
import Synchronization

#if PostgreSQL
  import CPostgreSQL

  /// A connection to a server, by libpq: one statement at a time.
  ///
  /// Values go to the server and come back as text. The thread that waits for an answer looks often
  /// whether somebody wants it to stop, so that a server which does not answer holds nobody up.
  final class ServerConnection: Sendable {
    private struct Handle {
      var connection: OpaquePointer?
      var state = ""
      /// Ends when the server has been asked to stop the statement; nil if it is not.
      var cancellation: DispatchGroup?
    }

    private let handle = Mutex(Handle())
    /// What it is connected to, without a password.
    let address: String

    /// Connects.
    ///
    /// - Parameter text: A URL `postgres://…`, or libpq's `name=value` pairs.
    /// - Throws: ``StoreError`` with the server's reason.
    init(_ text: String) throws(StoreError) {
      address = ServerAddress.withoutPassword(text)
      let keywords = ["dbname", "fallback_application_name", "connect_timeout"]
      let values = [text, "cardfile", "10"]
      let message = handle.withLock { handle -> String? in
        let connection = Self.withCStrings(keywords) { keywords in
          Self.withCStrings(values) { PQconnectdbParams(keywords, $0, 1) }
        }
        handle.connection = connection
        guard let connection else { return "there is no memory" }
        return PQstatus(connection) == CONNECTION_OK
          ? nil : String(cString: PQerrorMessage(connection))
      }
      if let message {
        close()
        throw StoreError(
          .other, doing: "connecting to", subject: address, detail: ServerError.oneLine(message),
          remedy: "check the address, and that the server runs and lets you in")
      }
      // What values look like as text, which is read here.
      try execute(
        """
        SET client_encoding = 'UTF8'; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD';
        SET IntervalStyle = 'iso_8601'; SET bytea_output = 'hex'; SET extra_float_digits = 3;
        SET standard_conforming_strings = on; SET client_min_messages = warning;
        """)
    }

    deinit { close() }

    /// Ends the connection.
    func close() {
      handle.withLock { handle in
        if let connection = handle.connection { PQfinish(connection) }
        handle.connection = nil
      }
    }

    /// Whether the server is still at the other end, as far as that is known.
    var isOpen: Bool {
      handle.withLock { $0.connection.map { PQstatus($0) == CONNECTION_OK } ?? false }
    }

    /// Whether a transaction is under way.
    var isInTransaction: Bool {
      handle.withLock {
        $0.connection.map { PQtransactionStatus($0) != PQTRANS_IDLE } ?? false
      }
    }

    /// The SQLSTATE of the last statement that failed; empty if the server said none.
    var lastState: String { handle.withLock(\.state) }

    // MARK: Statements

    /// Runs statements without values, whose rows nobody wants.
    func execute(_ text: String) throws(StoreError) {
      try send(doing: "reading") {
        PQsendQuery($0, text) == 1
      } receive: { _ throws(StoreError) in
      }
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - doing: What is being done, for errors.
    ///   - control: Stops it, from another thread.
    ///   - body: Called for each row, which it must not keep.
    /// - Returns: The number of rows that it returned or changed.
    /// - Throws: ``StoreError``.
    @discardableResult
    func run(
      _ sql: SQL, doing: String = "reading", control: FetchControl? = nil,
      _ body: (ServerRow) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> Int {
      let text = sql.text(in: .postgreSQL)
      var values: [String?] = []
      for binding in sql.bindings {
        guard case .value(let value) = binding else { continue }
        values.append(try value.serverText(doing: doing))
      }
      var count = 0
      let watch = ServerWatch(control)
      try send(doing: doing, sql: text, control: watch) { connection in
        let isSent = Self.withCStrings(values) {
          PQsendQueryParams(connection, text, Int32(values.count), nil, $0, nil, nil, 0)
        }
        return isSent == 1 && PQsetSingleRowMode(connection) == 1
      } receive: { result throws(StoreError) in
        let rows = PQntuples(result)
        for row in 0..<rows { try body(ServerRow(result: result, index: row)) }
        if rows > 0, count.isMultiple(of: 1_000), watch.mustStop {
          throw StoreError(.cancelled, doing: doing)
        }
        count += rows > 0 ? Int(rows) : Int(String(cString: PQcmdTuples(result))) ?? 0
      }
      return count
    }

    // MARK: Notifications

    /// Waits until the server tells something on a channel that was listened to.
    ///
    /// - Parameter seconds: The longest time.
    /// - Returns: Whether it told something.
    /// - Throws: ``StoreError`` if the connection is lost.
    func waitForNotification(seconds: Int32) throws(StoreError) -> Bool {
      let outcome: Result<Bool, StoreError> = handle.withLock { handle in
        guard let connection = handle.connection else {
          return .failure(lost(nil, doing: "listening"))
        }
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, seconds * 1_000) > 0, PQconsumeInput(connection) != 1 {
          return .failure(lost(connection, doing: "listening"))
        }
        var isTold = false
        while let notification = PQnotifies(connection) {
          PQfreemem(notification)
          isTold = true
        }
        return .success(isTold)
      }
      return try outcome.get()
    }

    /// Gives the connection back to those who do not listen.
    func stopListening() {
      do throws(StoreError) { try execute("UNLISTEN *") } catch { close() }
    }

    /// Sends a statement and takes its results, looking meanwhile whether to stop.
    private func send(
      doing: String, sql: String = "", control: ServerWatch = ServerWatch(nil),
      _ start: (OpaquePointer) -> Bool, receive: (OpaquePointer) throws(StoreError) -> Void
    ) throws(StoreError) {
      let outcome: Result<Void, StoreError> = handle.withLock { handle in
        handle.state = ""
        defer { Self.finishCancellation(of: &handle) }
        do throws(StoreError) {
          guard let connection = handle.connection, start(connection) else {
            throw lost(handle.connection, doing: doing)
          }
          var failure: StoreError?
          while let result = try next(&handle, doing: doing, control: control) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE where failure == nil, PGRES_TUPLES_OK where failure == nil,
              PGRES_COMMAND_OK where failure == nil:
              do throws(StoreError) {
                try receive(result)
              } catch {
                failure = error
                // Nobody wants the rest.
                Self.cancel(&handle)
              }
            case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default:
              let error = ServerError(result)
              handle.state = error.state
              failure =
                failure
                ?? error.storeError(doing: doing, sql: sql, isStopped: control.isCancelled)
            }
          }
          if let failure { throw failure }
          if PQstatus(connection) != CONNECTION_OK { throw lost(connection, doing: doing) }
          return .success(())
        } catch { return .failure(error) }
      }
      try outcome.get()
    }

    /// Waits for the next result.
    private func next(
      _ handle: inout Handle, doing: String, control: ServerWatch
    ) throws(StoreError) -> OpaquePointer? {
      guard let connection = handle.connection else { throw lost(nil, doing: doing) }
      var waited: Int32 = 0
      var cancelledAt: Int32?
      while PQisBusy(connection) == 1 {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        let step: Int32 = 20
        if poll(&descriptor, 1, step) > 0 {
          guard PQconsumeInput(connection) == 1 else { throw lost(connection, doing: doing) }
          continue
        }
        waited += step
        // A server that is stopped does not even take a cancellation, and a thread that draws waits
        // for nobody.
        let isLate = cancelledAt.map { waited - $0 > 500 } ?? false
        if isLate || (!control.waits && waited > 200) {
          control.meetLock()
          Self.cancel(&handle)
          handle.connection = nil
          Self.abandon(connection)
          throw StoreError(
            isLate ? .cancelled : .locked, doing: doing, subject: address,
            detail: "the server does not answer")
        }
        if cancelledAt == nil, control.mustStop {
          cancelledAt = waited
          Self.cancel(&handle)
        }
      }
      return PQgetResult(connection)
    }

    private func lost(_ connection: OpaquePointer?, doing: String) -> StoreError {
      let message = connection.map { ServerError.oneLine(String(cString: PQerrorMessage($0))) }
      return StoreError(
        .other, doing: doing, subject: address,
        detail: message.flatMap { $0.isEmpty ? nil : $0 } ?? "the connection was lost",
        remedy: "check that the server runs; unsaved changes are kept")
    }

    /// Asks the server to stop what it does, on a thread of its own: it may not answer.
    private static func cancel(_ handle: inout Handle) {
      guard handle.cancellation == nil, let cancel = handle.connection.flatMap(PQgetCancel) else {
        return
      }
      let (address, cancellation) = (Int(bitPattern: cancel), DispatchGroup())
      handle.cancellation = cancellation
      cancellation.enter()
      Thread.detachNewThread {
        defer { cancellation.leave() }
        guard let cancel = OpaquePointer(bitPattern: address) else { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(cancel, &message, 256)
        PQfreeCancel(cancel)
      }
    }

    /// Waits until the server has been asked to stop: later, it would stop the next statement.
    ///
    /// If that takes long, the connection is given up.
    private static func finishCancellation(of handle: inout Handle) {
      defer { handle.cancellation = nil }
      guard let cancellation = handle.cancellation, let connection = handle.connection,
        cancellation.wait(timeout: .now() + 0.5) == .timedOut
      else { return }
      handle.connection = nil
      abandon(connection)
    }

    /// Closes a connection that may not answer, on a thread of its own.
    private static func abandon(_ connection: OpaquePointer) {
      let address = Int(bitPattern: connection)
      Thread.detachNewThread { PQfinish(OpaquePointer(bitPattern: address)) }
    }

    /// Lends C strings, nil for nil, with a nil after the last one.
    private static func withCStrings<Result>(
      _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
      var starts: [Int?] = []
      var bytes: [CChar] = []
      for text in texts {
        starts.append(text == nil ? nil : bytes.count)
        if let text { bytes += text.utf8CString }
      }
      return bytes.withUnsafeBufferPointer { buffer in
        let pointers = starts.map { $0.flatMap { buffer.baseAddress?.advanced(by: $0) } } + [nil]
        return pointers.withUnsafeBufferPointer { pointers in
          // The list has at least its last nil.
          withUnsafePointer(to: nil as UnsafePointer<CChar>?) { body(pointers.baseAddress ?? $0) }
        }
      }
    }
  }

  /// Who may stop a statement: whoever watches it, and whoever watches all of its thread.
  struct ServerWatch {
    private let controls: [FetchControl]

    init(_ control: FetchControl?) { controls = [control, .current].compactMap(\.self) }

    var mustStop: Bool { controls.contains(where: \.mustStop) }
    var isCancelled: Bool { controls.contains(where: \.isCancelled) }
    var waits: Bool { controls.allSatisfy(\.waits) }
    func meetLock() { for control in controls { control.meetLock() } }
  }

  extension ServerError {
    /// What a result says.
    fileprivate init(_ result: OpaquePointer) {
      func field(_ letter: Unicode.Scalar) -> String {
        PQresultErrorField(result, Int32(letter.value)).map { String(cString: $0) } ?? ""
      }
      self.init(state: field("C"), message: field("M"), detail: field("D"))
    }
  }
#else
  /// A connection to a server, which this program was built without.
  final class ServerConnection: Sendable {
    let address: String

    init(_ text: String) throws(StoreError) {
      address = ServerAddress.withoutPassword(text)
      throw StoreError(
        .unsupported, doing: "connecting to", subject: address,
        detail: "this program was built without PostgreSQL's client library",
        remedy: "install libpq-dev, and build with --traits PostgreSQL; make does so by itself")
    }

    func close() {}
    var isOpen: Bool { false }
    var isInTransaction: Bool { false }
    var lastState: String { "" }
    func execute(_ text: String) throws(StoreError) {}
    func waitForNotification(seconds: Int32) throws(StoreError) -> Bool { false }
    func stopListening() {}

    @discardableResult
    func run(
      _ sql: SQL, doing: String = "reading", control: FetchControl? = nil,
      _ body: (ServerRow) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> Int { 0 }
  }
#endif
